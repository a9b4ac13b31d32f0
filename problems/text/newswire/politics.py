"""Stories of power: an election, a trial. The shorthand is explained in `notation.py`."""

from __future__ import annotations

from problems.text.newswire.story import EventType, read_facts, read_items

ELECTION = EventType(
    "election",
    {
        "place": "%T // %T // the capital",
        "region": "the {northern|southern|eastern|western} {province|state} (of %R) // %R",
        "country": "%C // %C // the country",
        "winner": "opposition leader %P // %p // the opposition leader ++ (who : entered : politics ; in 1994)",
        "loser": "President %P // %p // the president ++ (who : has governed : the country ; for nine years)",
        "party": "the {Liberal|Reform|Progress|Unity} Party // the party // the opposition",
        "rulers": "the {National|Popular|Conservative} Union // the ruling party",
        "partner": "the {Green|Farmers|Centre} Alliance // the alliance",
        "official": "interior minister %P // %p // the minister",
        "agency": "the election commission // the commission",
        "org": "the {Council|League|Federation} (of Trade_NNP Unions_NNP) // the labour federation",
        "critic": "human rights lawyer %P // %p // the lawyer",
        "expert": "political analyst %P // %p // the analyst",
        "event": "the election // the vote // the poll",
        "share": "#51-58",
        "other": "#38-44",
        "turnout": "#61-84",
        "seats": "#120-190",
        "observers": "#140-600/20",
        "fraud": "#12-70",
        "jobs": "#2-9",
    },
    read_facts("""
        - {winner} : {won : the presidential_JJ election|was elected : president} ; with {share} percent (of the vote)
          [; after a bitter campaign]
        - {winner} : {defeated|beat} : {loser} ; in the presidential_JJ election [; by a wide margin|; against
          most forecasts]
        - {loser} : lost : the presidential_JJ election ; to {winner} [; after a bitter campaign]

        - {winner} : {received|won} : {share} percent (of the vote) ; against {other} percent (for {loser})
        - {loser} : received : only {other} percent (of the vote) [; in a crushing_JJ defeat]

        + {loser} : conceded : defeat [; before midnight|; in a televised_JJ speech|; with visible_JJ emotion]
        + {loser} : {accepted|acknowledged} : the result & and : congratulated : {winner} [; by telephone]

        - {party} : won : {seats} seats (in parliament) [; against all predictions]
        - {party} : will hold : {seats} seats (in the [new] parliament) [; against all predictions]
        - {rulers} : lost : its majority (in parliament) ; to {party}

        - {winner} : promised to create : {jobs} hundred thousand jobs [; in four years|; without higher taxes]
        - {winner} : campaigned : on a promise (: to create : {jobs} hundred thousand jobs)

        - turnout : {reached|was} : {turnout} percent [; despite heavy rain]
        - {turnout} percent (of voters) : {took : part|cast : ballots} [; despite heavy rain]
        - the commission : put : turnout ; at {turnout} percent

        - {agency} : received : {fraud} complaints (of fraud) [; from rural districts|; in the first hours]
        - {fraud} complaints (of fraud) : were lodged : with {agency} [; mostly by observers]

        - [foreign] observers : found : the vote ; free and fair [; on the whole_NN]
        - the vote : was : free and fair ; according+to [foreign] observers [; despite isolated incidents]

        + {winner} : opened : talks (with {partner}) ; on a [stable|broad] coalition [; in a hotel]
        + {party} and {partner} : began : talks (on a [stable|broad] coalition)

        - {winner} : will take : office ; in {next_month} [; in a modest ceremony]
        - the [new] president : will take : the oath ; in {next_month} [; before both chambers]

        + thousands (of supporters) : {celebrated|danced} : in the [main] streets (of {place}) [; until dawn]
        + [jubilant_JJ] supporters : filled : the [main] streets (of {place}) [; with flags and horns]

        * corruption and unemployment : dominated : the [long|bitter] campaign [; in every region]
        * the [long|bitter] campaign : was dominated : by corruption and unemployment

        + the stock market : {rose|jumped} : @ four percent ; after {event} [; in heavy trading]
        + investors : welcomed : the result & and : pushed : shares ; up_RP ; @ four percent

        * {rulers} : had governed : {country} ; for 16 years [; without interruption]
        * the result : ended : 16 years (of rule (by {rulers}))

        - a [minor] clash (between rival groups) : {injured|hurt} : six people ; in {region}
        - six people : were {injured|hurt} : in a [minor] clash (between rival groups) [; near a polling station]
        """),
    read_items("""
        - as <{ballots|the last votes|votes (from abroad)} : were [still] being counted>
        - while <{supporters|crowds} : {sang|waved : flags} : {outside party headquarters|in the square}>
        - as <{television stations|newspapers} : {published|showed} : {partial|early|final} {results|figures}>
        - while <{police|soldiers} : {guarded|patrolled} : the {streets|polling stations} (of the capital)>
        """),
    read_items("""
        - {agency}
        - party officials
        - a spokesman (for {party})
        - a [senior] aide (to {winner})
        - state television
        - diplomats (in {place})
        """),
    calamity=False,
)

TRIAL = EventType(
    "trial",
    {
        "place": "%T // %T // the city",
        "region": "%R county // the county",
        "accused": "former mayor %P // %p // the former mayor // the defendant ++ (who : governed : the city ; "
        "for 12 years)",
        "org": "%O {Construction|Builders|Contractors} // %O // the builder // the construction company",
        "briber": "businessman %P // %p // the businessman ++ (who : had pleaded : guilty)",
        "judge": "Judge %P // %p // the judge",
        "prosecutor": "prosecutor %P // %p // the prosecutor",
        "lawyer": "defence lawyer %P // %p // the defence lawyer",
        "official": "justice minister %P // %p // the minister",
        "agency": "the anticorruption bureau // the bureau",
        "critic": "opposition councillor %P // %p // the councillor",
        "expert": "law professor %P // %p // the professor",
        "event": "the trial // the case",
        "years": "#5-14",
        "bribes": "#2-9",
        "counts": "#6-19",
        "witnesses": "#40-95",
        "weeks": "#7-15",
        "stadium": "#60-240/10",
        "days": "#3-8",
    },
    read_facts("""
        - {accused} : was {convicted :|found : guilty ;} of corruption [; on all counts]
          [; after a long trial]
        - a jury : {convicted : {accused}|found : {accused} ; guilty} ; of corruption [; after a long trial]
        - {judge} : read : the [guilty] verdict (against {accused}) [; in a silent courtroom]

        - {accused} : was sentenced : to {years} years (in prison) [; without parole]
        - {judge} : sentenced : {accused} ; to {years} years (in prison) [; in a brief hearing]
        - {accused} : {received|was given} : a sentence (of {years} years) [; below the maximum]

        - {accused} : had {accepted|taken} : {bribes} million dollars (in bribes) ; from {org}
        - {org} : paid : {accused} ; {bribes} million dollars (in bribes) [; over six years|; through a bank (abroad)]
        - {prosecutor} : said : <{accused} : had taken : {bribes} million dollars (in bribes)>

        + {lawyer} : {announced|filed} : an appeal [; within an hour|; before a higher court]
        + {accused} : will appeal ; against the verdict [; within a month] ; according+to {lawyer}

        - the bribes : were paid : for a contract (: to build : a [new] stadium)
        - {org} : won : a contract (: to build : a [new] stadium) ; in return (for the bribes)
        - the contract (for a [new] stadium) : was : worth_IN {stadium} million dollars

        - the jury : deliberated : for {days} days [; behind closed_JJ doors]
        - the [seven] jurors : needed : {days} days ; <: to reach : a verdict>

        - {briber} : told : the court ; that <{accused} : had demanded : cash ; in [brown_JJ] envelopes>
        - {accused} : demanded : cash ; in [brown_JJ] envelopes ; according+to {briber}

        - {accused} : {denied : all charges|insisted : on {accused.his} innocence} [; to the end]
        - {accused} : told : the court ; that <{accused.he} : was : the victim (of a [political] plot)>

        - prosecutors : called : {witnesses} witnesses [; in a trial (of {weeks} weeks)]
        - {witnesses} witnesses : testified [: during a trial (of {weeks} weeks)]

        - {accused} : faced : {counts} counts (of fraud and bribery) [; in the indictment]
        - the indictment : listed : {counts} counts (of fraud and bribery) [; on 90 pages]

        - {agency} : seized : two villas and a yacht ; from {accused} [; in an early raid]
        - two villas and a yacht : were seized : by {agency} [; in an early raid]

        - a secret recording (of a dinner) : was played : in court [; over the protests (of {lawyer})]
        - prosecutors : played : a secret recording (of a dinner) [; on the fourth day]

        + {org} : was barred : from public contracts ; for five years [; by the same court]
        + the court : barred : {org} ; from public contracts ; for five years

        + {accused} : was led : from the courtroom ; in handcuffs [; past_IN dozens (of reporters)]
        + guards : led : {accused} ; from the courtroom ; in handcuffs

        * {accused} : had been : a [rising] star (in national politics) [; before the scandal]
        * {accused} : was [once] seen : as a future minister
        """),
    read_items("""
        - as <{protesters|supporters|onlookers} : {chanted|shouted : slogans} : outside the {court|courthouse}>
        - as <{dozens|hundreds} (of {reporters|students|citizens}) : {queued|waited} : outside the {building|courtroom}>
        - while <{relatives|friends} : {wept|embraced} : in the {gallery|front row}>
        - while <{guards|officers} : {stood|watched} ; at the {doors|entrances|gates}>
        """),
    read_items("""
        - {prosecutor}
        - {lawyer}
        - court officials
        - a spokeswoman (for the court)
        - {agency}
        - people (familiar (with the case))
        """),
    calamity=False,
)
