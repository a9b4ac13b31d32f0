"""Stories of nature and science: a storm, an epidemic, a space launch. The shorthand is explained in `notation.py`."""

from __future__ import annotations

from problems.text.newswire.story import EventType, read_facts, read_items

STORM = EventType(
    "storm",
    {
        "storm": "Hurricane %W // %W // the storm // the hurricane ++ (which : had formed : in warm waters)",
        "place": "%T // %T // the city ++ (which : lies_VBZ : below sea level)",
        "region": "the %R coast // the coast",
        "island": "%T island // the island",
        "official": "Governor %P // %p // the governor",
        "mayor": "Mayor %P // %p // the mayor ++ (who : was elected : last year)",
        "agency": "the weather service // the weather service",
        "org": "%O {Power|Energy|Electric} // %O // the power company // the utility",
        "critic": "opposition senator %P // %p // the senator",
        "expert": "climate scientist %P // %p // the scientist",
        "event": "the storm // the disaster // the hurricane",
        "dead": "#9-64",
        "homes": "#200-900/50",
        "wind": "#105-165/5",
        "evacuated": "#60-190/10",
        "rain": "#9-24",
        "damage": "#2-9",
        "shelters": "#12-60",
    },
    read_facts("""
        - {storm} : {struck|hit} : {region} ; near {place} [; with terrifying_JJ force|; at high tide]
          ; with winds (of {wind} miles (an hour))
        - {storm} : came : ashore ; near {place} [; at high tide|; after midnight] ; with winds (of {wind} miles
          (an hour))
        - winds (of {wind} miles (an hour)) : battered : {region} ; when <{storm} : came : ashore>

        - [at+least] {dead} people : {died|were killed} : in {event} [; including a family (of five)]
        - {storm} : killed : [at+least] {dead} people [; along a wide stretch (of coast)]
        - the [official] death toll (from {event}) : {rose|climbed} : to {dead} [; after another night]

        - [about] {evacuated} thousand people : were evacuated : from {region} [; in buses|; by train]
        - {official} : ordered : the evacuation (of {evacuated} thousand people) [; on short notice]
        - [about] {evacuated} thousand people : fled : {region} ; before <{storm} : came : ashore>

        - {storm} : destroyed : [more+than] {homes} homes [; in {place}|; near the harbour]
        - [more+than] {homes} homes : were destroyed : by {storm} [; in low-lying districts]
        - {homes} homes (in {place}) : were {destroyed|flattened|swept away_RP} [: by waves and wind]

        + half_NN (of {region}) : was left : without electricity [; for days]
        + {org} : said : <half_NN (of {region}) : was : without electricity>
        + {storm} : knocked : out_RP ; electricity ; in half_NN (of {region})

        + {official} : declared : a state (of emergency) [; in eleven counties|; before nightfall]
        + a state (of emergency) : was declared : by {official} [; in eleven counties]

        - a [swollen] river : burst : its banks & and : flooded : the [historic|old] centre (of {place})
        - the [historic|old] centre (of {place}) : was flooded : when <a river : burst : its banks>
        - [muddy|brown_JJ] water : flooded : the centre (of {place}) [; to a depth (of six feet)]

        + the damage : was {estimated|put} : at {damage} billion dollars [; by insurers]
        + insurers : estimated : the damage ; at {damage} billion dollars [; in a first report]

        - {rain} inches (of rain) : fell : on {place} [; in a single day]
        - {place} : received : {rain} inches (of rain) [; in a single day]

        + [army] helicopters : rescued : [stranded] residents ; from rooftops [; with ropes and baskets]
        + [stranded] residents : were rescued : from rooftops ; by [army] helicopters [; under a grey_JJ sky]

        + {mayor} : {imposed|announced} : a [strict] curfew ; after reports (of looting) [; in the market district]
        + a [strict] curfew : was imposed : in {place} ; after reports (of looting)

        - {agency} : had warned : that <{storm} : would bring : a high surge> [; in six bulletins]
        - a high surge : had been predicted : by {agency} [; in six bulletins]

        + {shelters} shelters : were opened : in schools and churches [; by charities]
        + volunteers : opened : {shelters} shelters ; in schools and churches [; for the homeless_NNS]

        + {critic} : criticised : the [slow|chaotic_JJ] response (to {event}) [; in a heated debate]
        + the [slow|chaotic_JJ] response (to {event}) : was criticised : by {critic}

        - {storm} : weakened : over land & and : moved : toward {island} [; with heavy rain]
        - {storm} : lost : strength ; over land [; within a day]

        - the [only] bridge (to {island}) : collapsed [: in the flood|: under the waves]
        - {storm} : washed : away_RP ; the [only] bridge (to {island})
        """),
    read_items("""
        - as <{residents|volunteers|soldiers} : {cleared : mud|filled : sandbags|boarded : up_RP ; windows}>
        - while <the {water|river|wind} : was [still] rising>
        - as <the {airport|harbour|main road} : remained : closed_JJ>
        - as <{trees|roofs|power lines} : lay : across the {roads|streets|railway}>
        """),
    read_items("""
        - {agency}
        - {mayor}
        - relief workers
        - emergency officials
        - a spokesman (for {org})
        - residents (of {place})
        """),
    calamity=True,
)

EPIDEMIC = EventType(
    "epidemic",
    {
        "disease": "%R fever // the fever // the disease // the virus",
        "place": "%T // %T // the city",
        "region": "the %R region // the region",
        "village": "%T",
        "official": "health minister %P // %p // the minister",
        "agency": "the health agency // the health agency // the agency",
        "org": "the {national|central} hospital (in {place}) // the hospital ++ (which : has : 300 beds)",
        "maker": "the drug company %O // %O // the drug maker",
        "critic": "opposition lawmaker %P // %p // the lawmaker",
        "expert": "virologist %P // %p // the virologist",
        "doctor": "chief physician %P // %p // the physician",
        "event": "the outbreak (of {disease}) // the outbreak // the epidemic",
        "dead": "#26-88",
        "cases": "#210-780/10",
        "schools": "#40-190/10",
        "doses": "#2-9",
        "districts": "#4-9",
        "nurses": "#3-9",
    },
    read_facts("""
        - {disease} : has killed : {dead} people ; in {region} [; in less+than a month]
        - {dead} people : have died : of {disease} ; in {region} [; since early {month}]
        - an outbreak (of {disease}) : has killed : {dead} people ; in {region}

        - [more+than] {cases} people : have been infected ; with {disease} [; including many children]
        - {agency} : has confirmed : [more+than] {cases} cases (of {disease}) [; in {districts} districts]
        - the number (of confirmed_JJ cases) : {rose|climbed} : to {cases} [; from only 90 (in {month})]

        - {official} : closed : {schools} schools ; <: to slow : the spread (of {disease})> [; over the objections
          (of teachers)]
        - {schools} schools : were closed ; <: to slow : the spread (of {disease})> [; by order (of {official})]

        - the virus : spread : through [contaminated] drinking water [; in crowded districts]
        - investigators : traced : {disease} ; to [contaminated] drinking water [; from an old well_NN]
        - [contaminated] drinking water : was : the source (of {disease}) ; according+to {agency}

        - {maker} : will deliver : {doses} million doses (of a [new] vaccine) [; at cost]
        - {doses} million doses (of a [new] vaccine) : will be delivered ; by {maker} [; before {next_month}]
        - {agency} : ordered : {doses} million doses (of a [new] vaccine) ; from {maker}

        - {agency} : placed : {districts} districts ; under quarantine [; at midnight]
        - {districts} districts : were placed : under quarantine ; by {agency} [; for two weeks]

        - {org} : ran : out+of beds [; for the first time] & and : treated : patients ; in [army] tents
        - patients : were treated : in [army] tents ; after <{org} : ran : out+of beds>

        - the first case : was {reported|detected} : in {village} [; by a country doctor]
        - {doctor} : {reported|detected} : the first case ; in {village} [; in a young farmer]

        - {nurses} nurses : died : of {disease} [; after <: caring : for patients>]
        - {disease} : killed : {nurses} nurses (at {org}) [; in a single week]

        * {disease} : causes_VBZ : high fever and [severe|internal] bleeding [; within three days]
        * the [first|usual] symptoms (of {disease}) : are : high fever and [severe|internal] bleeding

        - neighbouring_JJ countries : {closed : their borders|stopped : flights} ; to travellers (from {region})
        - travellers (from {region}) : were turned : back_RP ; at the borders (of neighbouring_JJ countries)

        - the government : set : aside_RP ; 40 million dollars ; for [emergency] care [; in a late vote]
        - 40 million dollars : was set : aside_RP ; for [emergency] care ; by the government

        - {critic} : accused : {official} ; of <: hiding : the [true] number (of deaths)> [; in parliament]
        - {official} : had hidden : the [true] number (of deaths) ; according+to {critic}

        - {expert} : expects_VBZ : {event} ; <: to peak : in {next_month}> [; if <people : stay_VBP : at home>]
        - {event} : will peak : in {next_month} [; at the earliest] ; according+to {expert}

        - residents : wore : masks and gloves ; in the [empty|quiet] streets (of {place})
        - markets and churches (in {place}) : stayed : empty [; for a second week]
        """),
    read_items("""
        - as <{clinics|laboratories|pharmacies} : ran : short (of {supplies|medicine|masks})>
        - while <{teams|volunteers|medics} : went : from {door (to door)|house (to house)}>
        - as <fear_NN : spread : through the {city|villages|markets}>
        - as <the {outbreak|quarantine} : entered : its {second|third|fourth} week>
        """),
    read_items("""
        - {agency}
        - {doctor}
        - health workers
        - doctors (at {org})
        - an aid worker (in {village})
        - a laboratory director
        """),
    calamity=True,
)

LAUNCH = EventType(
    "launch",
    {
        "craft": "the space probe %M // %M // the probe // the spacecraft ++ (which : weighs_VBZ : two tons)",
        "rocket": "a %O rocket // the rocket // the launcher",
        "place": "%T // %T",
        "region": "the %R desert // the desert",
        "agency": "the {national|continental_JJ} space agency // the space agency // the agency",
        "org": "%O {Aerospace|Dynamics|Systems} // %O // the contractor // the manufacturer",
        "official": "science minister %P // %p // the minister",
        "director": "mission director %P // %p // the director ++ (who : has led : the project ; since 2001)",
        "critic": "budget committee chairman %P // %p // the chairman",
        "expert": "astronomer %P // %p // the astronomer",
        "planet": "{Mars|Venus|Jupiter|Saturn}",
        "event": "the launch (of {craft}) // the launch // the mission",
        "cost": "#220-780/10",
        "months": "#7-34",
        "instruments": "#5-9",
        "minutes": "#11-52",
        "delays": "#2-4",
        "staff": "#140-390/10",
    },
    read_facts("""
        - {craft} : {lifted off_RP :|was launched :} from {place} ; on a voyage (to {planet}) [; under a clear sky
          |; with a deafening_JJ roar]
        - {agency} : launched : {craft} ; from {place} ; on a voyage (to {planet}) [; after a smooth countdown]
        - {rocket} : carried : {craft} ; into space ; on a voyage (to {planet}) [; before a cheering_JJ crowd]

        - {craft} : will reach : {planet} ; after {months} months [; if <all : goes_VBZ : well>]
        - the voyage (to {planet}) : will take : {months} months [; with one flight (past_IN Earth)]
        - {craft} : will fly : for {months} months ; before <it : reaches_VBZ : {planet}>

        - controllers : lost : contact (with {craft}) ; for {minutes} minutes [; shortly after liftoff]
        - contact (with {craft}) : was lost : for {minutes} minutes [; over the ocean]
        - {craft} : was : silent ; for {minutes} minutes [; after liftoff]

        - the mission : cost : {cost} million dollars [; despite early promises]
        - {agency} : spent : {cost} million dollars ; on the mission [; over nine years]
        - the [total] cost (of the mission) : reached : {cost} million dollars

        - {craft} : will search : for [frozen|underground_JJ] water ; on {planet} [; with a long radar antenna]
        - the [main] goal (of the mission) : is : the search (for [frozen|underground_JJ] water (on {planet}))

        + a solar panel : failed to open [: on the first attempt] & but : was freed : by a [radio] command
        + engineers : freed : a [jammed_JJ] solar panel ; with a [radio] command [; from a ground station]
        + a [jammed_JJ] solar panel : was freed ; by engineers [; after a tense night]

        - the launch : had been {delayed|postponed} : @ {delays} times [; because+of high winds|; by fuel leaks]
        - [high] winds and fuel leaks : had {delayed|postponed} : the launch ; @ {delays} times

        * {craft} : carries_VBZ : {instruments} [scientific] instruments [; from a dozen universities]
        * {instruments} [scientific] instruments : are : on board_IN {craft}

        + {director} : called : the launch ; a [complete|great] success [; with tears (in {director.his} eyes)]
        + the launch : was : a [complete|great] success ; according+to {director}

        * an earlier_JJR probe : crashed : on {planet} ; in 1999 [; because+of a software error]
        * {agency} : lost : an earlier_JJR probe ; in 1999 [; on the way (to {planet})]

        * {org} : built : {craft} ; with a staff (of {staff}) [; in a former car factory]
        * {craft} : was built : by {org} [; in a former car factory]

        + {critic} : questioned : the [high|rising] cost (of the mission) [; in a hearing]
        + the [high|rising] cost (of the mission) : was questioned : by {critic} [; in a hearing]

        + {craft} : sent : its first [grainy_JJ] pictures ; to Earth [; through an antenna (in {region})]
        + the first [grainy_JJ] pictures (from {craft}) : arrived : on Earth

        - thousands (of spectators) : watched : the launch ; from the [sandy_JJ|crowded] beaches [; with binoculars]
        - the launch : was watched : by thousands (of spectators) [; on giant_JJ screens]

        + {official} : announced : a second mission (to {planet}) [; with a crew (of four)] ; in ten years
        + a second mission (to {planet}) : is planned ; in ten years [; at twice the cost]
        """),
    read_items("""
        - as <{controllers|engineers|technicians} : {cheered|watched : their screens|checked : the data}>
        - while <the {rocket|booster|second stage} : was [still] burning : fuel>
        - as <{invited_JJ guests|schoolchildren|families} : {cheered|waved : flags|applauded}
          ; near the {launch pad|control room}>
        - while <{scientists|visitors} : {waited|held : their breath} ; in the [crowded|hushed_JJ] control room>
        """),
    read_items("""
        - {agency}
        - {director}
        - flight controllers
        - engineers (at {org})
        - a spokeswoman (for {agency})
        - scientists (on the project)
        """),
    calamity=False,
)
