"""What every story has: background facts, hangers-on, quotes that say little. The shorthand is in `notation.py`.

Background facts are told by one or two documents only. The circumstances have many small choices, so that a modifier
rarely recurs from document to document.
"""

from __future__ import annotations

from problems.text.newswire.story import read_facts, read_items

WATCHING = read_items("""
    - as <{television crews|reporters|passers-by_NNS|local people} : {watched|looked on_RP|followed : every step}>
    - as <{the nation|the whole country|much (of the region)|a worried public_NN} : {followed|watched} : the
      {news|story|events} [; on television|; with growing concern|; with {great|close} attention]>
    - while <{experts|lawmakers|commentators|newspapers} : {debated|discussed|examined}
      : the {causes|consequences|lessons}>
    - amid {conflicting_JJ|confusing_JJ|scattered_JJ|sketchy} {reports|accounts|rumours} (from the {area|scene|capital})
    """)

ANYWHERE = read_items("""
    - amid {growing|widespread|mounting|rising} {public|local|political} {anger|concern|anxiety|frustration}
    - after {hours|days|a night|a morning} (of {confusion|uncertainty|rumours|silence|tension})
    - despite {repeated|urgent|early|private} {warnings|appeals} (from {residents|experts|critics|specialists})
    - in a {development|story|drama|turn (of events)} (that_WDT : {surprised|shook|divided|stunned|gripped} : {many
      people|the town|the public_NN|the country|the nation})
    - at the {end|start} (of a {long|difficult|hot|cold|turbulent} {week|month|summer|winter})
    - in a {week|month|season} (of {bad|dramatic|surprising|alarming_JJ} {news|headlines})
    - at a time (of {deep|growing|great} {uncertainty|mistrust|anxiety|hardship})
    - to the {dismay|surprise} (of {many|local|most} {residents|experts|observers|families})
    """)

BY_SOMEONE = read_items("""
    - under {heavy|intense|constant_JJ} {pressure|scrutiny} (from {the press|voters|lawmakers|the public_NN})
    - with the {support|help|backing_NN} (of {local leaders|several experts|neighbouring_JJ towns|the church})
    - against the {advice|wishes|will} (of {senior advisers|local leaders|several experts})
    - after a {long|private|tense|hurried} {meeting|conversation|discussion} (with {advisers
      |lawyers|experts|colleagues})
    - without <: waiting : for {advice|permission|instructions|a formal request}>
    - in an {effort|attempt} (: to {calm : the public_NN|limit : the damage|regain : trust_NN|avoid : more criticism})
    """)

STATEMENTS = read_items("""
    - in a {brief|short|written_JJ|joint|prepared} statement
    - at a {crowded|hastily arranged_JJ|late|packed} {news conference|briefing} (in {place})
    - without {further details|further comment}
    - after {talks|a meeting} (with {families|lawyers|specialists|local leaders})
    """)

IN_PERSON = read_items("""
    - in an interview (with {local radio|state television|foreign reporters|a news agency})
    - during a visit (to {the area|the region|the district})
    - in a {telephone|radio|television} interview
    - in a {firm|quiet|tired|calm} voice
    - after a {sleepless_JJ|long|short} night
    """)

SOURCES = read_items("""
    - officials
    - {agency}
    - {official}
    - {expert}
    - a [senior|government] official
    - local {officials|reporters|leaders}
    - {paper}
    - a spokesman (for {official})
    """)

ADVERBS = ("reportedly", "apparently")

MANNERS = ("bluntly", "calmly", "cautiously", "privately", "repeatedly", "quietly")

BACKGROUND = read_facts("""
    + {official} : {called|summoned} : the cabinet ; to an [urgent|extraordinary] meeting [; in the evening]
    + the cabinet : {met|gathered} ; in an [urgent|extraordinary] session [; behind closed_JJ doors]

    + a spokesman (for {org}) : {declined|refused} to comment [: on the details|: on legal grounds]
    + {org} : {declined|refused} to comment [: on the reports]

    + {expert} : {described|called} : {event} ; a turning_JJ point [; for {region}] [; in an article]
    + {event} : was : a turning_JJ point [; for {region}] ; according+to {expert}

    + {critic} : called : for the resignation (of {official}) [; on national television]
    + the resignation (of {official}) : was demanded : by {critic} [; in an open letter]

    * {place} : is : home_NN (to about 90 thousand people)
    * about 90 thousand people : live_VBP : in {place} [; between the hills and the river]

    + {agency} : will publish : a [detailed|final] report ; in {next_month} [; on its website]
    + a [detailed|final] report (by {agency}) : is expected ; in {next_month}

    + [foreign] governments : offered : {condolences|congratulations|assistance} [; through their ambassadors]
    + messages (from [foreign] governments) : {arrived|were received} ; in {place} [; @ all day]

    + [angry] residents : {demanded : answers|protested} ; {outside the town hall|in+front+of the town hall}
      [; in {place}]
    + [about] 300 people : {gathered|demonstrated} : outside the town hall (in {place}) [; with banners]

    * a similar event (in {region}) : {made : headlines|drew : wide attention} ; in 1991 [; across the country]
    * {region} : had seen : a similar event ; in 1991 [; under a previous government]

    + {paper} : published : [internal|confidential] documents (about {event}) [; on its front_NN page]
    + [internal|confidential] documents (about {event}) : were published : by {paper}

    + lawmakers : {scheduled|announced} : a [special] hearing (on {event}) [; for next week]
    + a [special] hearing (on {event}) : was scheduled : by lawmakers [; for next week]

    + {official} : cancelled : a trip (abroad) & and : returned : to {place}
    + {official} : returned : to {place} [; from a trip (abroad)] [; in a military plane]

    + {expert} : doubted : whether <the lessons (of {event}) : would be learned>
    + the lessons (of {event}) : will be forgotten [: within a year] ; according+to {expert}

    * {agency} : has : a [small] staff (of 45) [; in a rented_JJ building]
    * the [annual] budget (of {agency}) : was cut : @ last year [; by a fifth_NN]

    + a [former] employee (of {org}) : gave : a different account (of {event}) [; to {paper}]
    + a different account (of {event}) : was given : by a [former] employee (of {org})

    + an [opinion] poll : showed : that <most voters : blamed : the government> [; for the confusion]
    + most voters : trust_VBP : {official} ; according+to an [opinion] poll [; for {paper}]

    + the website (of {agency}) : {crashed|broke down_RP} ; under heavy traffic [; for two hours]
    + a telephone line (for the public_NN) : {opened|was set up_RP} ; in {place} [; around the clock]

    + a [retired] judge : will advise : the government ; on {event} [; without pay_NN]
    + the government : asked : a [retired] judge ; for advice (on {event})

    + hotels (in {place}) : were : full (of journalists) [; for days]
    + journalists (from 20 countries) : {came|travelled} : to {place} [; within a day]

    + {official} : {thanked|praised} : the [local] police ; for their [calm|quick] response [; in parliament]
    + the [calm|quick] response (of the police) : was praised : by {official}
    """)

CALAMITY = read_facts("""
    + flags (across {region}) : were lowered ; in memory (of the victims) [; at noon]
    + {official} : declared : three days (of [national] mourning) [; for the victims]

    + a [temporary] morgue : was {set up_RP :|opened :} in a school (in {place})
    + relatives : identified : victims ; in a [temporary] morgue [; with the help (of nurses)]

    + the [local] hospital : appealed : for blood donors [; on the radio]
    + hundreds (of people) : gave : blood [; at the local hospital]

    + {official} : visited : the [weary|first] survivors ; in hospital [; without cameras]
    + survivors : were visited : by {official} [; in two hospitals]

    + a [charity] fund (for the families) : collected : two million dollars [; in three days]
    + two million dollars : was {donated|given} ; to a fund (for the families)

    + [army] engineers : built : a [temporary] road ; to the area [; through the forest]
    + 200 soldiers : joined : the relief effort [; with dogs and lamps]

    + insurance companies : expect_VBP : [costly] claims [; in the coming_JJ weeks]
    + lawyers : prepared : claims ; against {org} [; for a dozen families]

    + a bishop : prayed : for the victims [; at a morning mass]
    + a [memorial] service (for the victims) : was held : in {place} [; by candlelight]

    + {agency} : opened : a [formal|full] investigation (into {event}) [; with a team (of 20)]
    + a [formal|full] investigation (into {event}) : was opened : by {agency}

    + {critic} : said : <[early] warnings : had been ignored ; for years>
    + [early] warnings : had been ignored : for years ; according+to {critic}

    + counsellors : spoke : with survivors and relatives [; in a sports hall]
    + [trained] counsellors : comforted : survivors and relatives [; in a sports hall]
    """)

AFFAIRS = read_facts("""
    + the currency : {rose|fell} : slightly ; after the news (of {event}) [; against the dollar]
    + markets : {reacted : calmly|were : calm} [; after the news (of {event})]

    + church leaders : {appealed : for calm_NN|called : for patience} [; in a joint letter]
    + a bishop : appealed : for calm_NN [; from the pulpit]

    + the prime minister : called : {event} ; a private matter [; with a smile]
    + the prime minister : {avoided|ducked} : questions (about {event}) [; at a dinner]

    + {critic} : filed : a [formal|lengthy] complaint ; with {agency} [; on 60 pages]
    + a [formal|lengthy] complaint : was filed : by {critic} [; on 60 pages]

    + students : debated : {event} [; at the university]
    + {expert} : discussed : {event} ; with students [; at the university]

    + a [documentary_NN] film (about {event}) : is planned ; by a [foreign] studio
    + two [television] channels : interrupted : their programmes ; for the news [; from {place}]

    + police : {tightened|strengthened} : security ; around the offices (of {org}) [; as a precaution]
    + security : was {tightened|strengthened} : around the offices (of {org})

    + an [anonymous] letter : accused : {official} ; of <: knowing : about the plans> [; since {month}]
    + {official} : denied : <: knowing : about the plans> [; in advance]

    + a [leading] economist : lowered : the [growth] forecast (for {region}) [; because+of {event}]
    + the [growth] forecast (for {region}) : was lowered [: by a leading bank]

    * {org} : celebrated : its 50th_JJ anniversary ; @ last year [; with fireworks]
    * {org} : has : offices ; in {place} [; near the old harbour]
    """)
