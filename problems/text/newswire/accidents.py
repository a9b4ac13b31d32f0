"""Stories of accidents: a ferry, a train, a mine. The shorthand is explained in `notation.py`."""

from __future__ import annotations

from problems.text.newswire.story import EventType, read_facts, read_items

FERRY = EventType(
    "ferry",
    {
        "ship": "the ferry %V // the %V // the ferry // the vessel ++ (: built : in 1987) ++ (which : had passed : "
        "an inspection ; in {month})",
        "org": "%O {Lines|Ferries} // %O // the operator // the company ++ (which : runs_VBZ : six routes)",
        "sea": "the %S Strait // the strait",
        "place": "the port (of %T) // %T // %T",
        "harbour": "%T",
        "region": "%R province // the province",
        "official": "transport minister %P // %p // the minister",
        "agency": "the coast guard // the coast guard",
        "captain": "Captain %P // %p // the captain ++ (who : was : among the survivors)",
        "critic": "union leader %P // %p // the union leader",
        "expert": "marine engineer %P // %p // the engineer",
        "event": "the sinking (of {ship}) // the sinking // the disaster // the accident",
        "dead": "#14-48",
        "aboard": "#110-240",
        "rescued": "=aboard-dead",
        "capacity": "#60-100/10",
        "divers": "#5-13",
        "payment": "#5-20",
    },
    read_facts("""
        - {ship} : {sank|went down_RP} : in {sea} [; in heavy seas|; within minutes|; in thick fog]
          ; with {aboard} people (on board_NN)
        - {ship} : {capsized|overturned} & and : sank : in {sea} [; in high winds|; before dawn]
          ; with {aboard} people (on board_NN)
        - a [crowded|packed] ferry (: carrying : {aboard} people) : sank : in {sea} [; in rough water|; after sunset]

        - [at+least] {dead} people : {died|were killed|drowned} : in {event}
        - {event} : killed : [at+least] {dead} people [; including several children]
        - [at+least] {dead} passengers : drowned : when <{ship} : sank> [; in cold water]

        - rescuers : {pulled|plucked} : {rescued} [exhausted|frightened] survivors ; from the water [; with ropes]
        - {rescued} people : were {rescued|saved} : by [local] fishing boats and a navy helicopter
        - fishing boats and a navy helicopter : rescued : {rescued} people ; from {sea} [; in the first hours]

        - {ship} : was sailing : from {place} ; to {harbour} [; on its usual evening run|; with a full load (of trucks)]
        - {ship} : had left : {place} ; for {harbour} [; with a full load (of trucks)|; in fading_JJ light_NN]

        - investigators : {believe_VBP|think_VBP} : that <{ship} : was [badly|dangerously] overloaded>
        - {ship} : was carrying : almost twice its [legal|permitted_JJ] load [; of cars and trucks]
        - {agency} : {found|concluded} : that <{ship} : was [badly|dangerously] overloaded>

        + police : {arrested|detained} : {captain} ; on suspicion (of negligence) [; at a hospital (in {harbour})]
        + {captain} : was {arrested|detained} : by police ; on suspicion (of negligence) [; after the rescue]

        + {org} : promised to pay : {payment} thousand dollars ; to each [bereaved] family [; within a month]
        + the families (of the victims) : will receive : {payment} thousand dollars ; from {org} [; within a month]
        + {org} : offered : the families (of the victims) ; {payment} thousand dollars

        + {official} : ordered : [urgent|immediate] safety checks (on all ferries) [; along the coast]
        + {official} : ordered : all ferries ; into port ; for [urgent|immediate] safety checks
        + all ferries : were kept : in port ; for [urgent|immediate] safety checks [; by order (of {official})]

        + [navy] divers : recovered : {divers} bodies ; from the [flooded] car deck [; despite strong currents]
        + {divers} bodies : were recovered : from the [flooded] car deck ; by [navy] divers

        + {captain} : told : investigators ; that <the cargo : had shifted : in the [heavy|rising] swell>
        + the cargo : shifted : in the [heavy|rising] swell ; according+to {captain}

        * {ship} : was licensed to carry : {capacity} passengers [; in calm weather]
        * the licence (of {ship}) : allowed : only {capacity} passengers [; on the {harbour} route]

        + {agency} : called : off_RP ; the search (for survivors) [; after two fruitless nights] ; because+of high waves
        + the search (for survivors) : was called : off_RP [; at nightfall] ; because+of high waves

        - survivors : said : <there : were : too few life jackets [; on the upper deck]>
        - {ship} : carried : too few life jackets [; for children] ; according+to survivors

        - passengers : heard : no alarm ; before <{ship} : began to list> [; in the darkness]
        - the alarm (on {ship}) : failed to sound [: in the passenger lounge]

        - divers : found : the [heavy] bow door (of {ship}) ; ajar [; on the second day (of the search)]
        - the bow door (of {ship}) : was found : ajar ; by divers [; during an inspection (of the wreck)]

        + {org} : suspended : all services (across {sea}) [; until further notice]
        + all services (across {sea}) : were suspended : by {org} [; for a week]

        - salvage experts : plan_VBP to raise : the wreck ; from a depth (of 60 metres) [; with two floating_JJ cranes]
        - the wreck (of {ship}) : lies_VBZ : at a depth (of 60 metres) [; near a lighthouse]
        """),
    read_items("""
        - as <navy ships : combed : the {channel|coast|islands}>
        - while <{relatives|families} : waited : {in a school|in a church hall|on the quay|outside the terminal}>
        - as <{strong|cold|rising} winds : {hampered|slowed} : the {rescue|recovery}>
        - as <{divers|lifeboats|fishing crews} : {searched|scanned} : the {cold|dark|choppy_JJ} water>
        """),
    read_items("""
        - {agency}
        - a [senior] coast guard officer
        - rescue workers
        - harbour officials
        - a spokesman (for {org})
        - a passenger (who : survived)
        """),
    calamity=True,
)

TRAIN = EventType(
    "train",
    {
        "train": "a passenger train // the passenger train // the train // the express ++ (: pulling : nine carriages) "
        "++ (which : was running : late)",
        "org": "%O {Rail|Railways} // %O // the railway // the operator ++ (which : was privatised : in 1996)",
        "place": "%T // %T // the town",
        "city": "%T",
        "destination": "%T",
        "region": "%R county // the county",
        "official": "transport secretary %P // %p // the secretary",
        "agency": "the rail safety board // the safety board // the board",
        "driver": "train driver %P // %p // the driver ++ (who : had worked : for the railway ; for 11 years)",
        "critic": "passenger campaigner %P // %p // the campaigner",
        "expert": "rail engineer %P // %p // the engineer",
        "event": "the derailment // the crash // the accident // the disaster",
        "dead": "#7-38",
        "injured": "#60-190/5",
        "speed": "#90-130/5",
        "limit": "#40-65/5",
        "carriages": "#3-7",
        "weeks": "#3-9",
    },
    read_facts("""
        - {train} : {derailed :|left : the tracks ;|jumped : the tracks ;} near {place} [; on a sharp curve
          |; at high speed|; in driving_JJ rain]
        - {train} (from {city}) : came : off the tracks ; near {place} [; shortly before the evening rush]
        - {carriages} carriages (of {train}) : left : the tracks ; near {place} [; beside a canal|; in a cutting]

        - [at+least] {dead} people : {died|were killed} : in {event} [; including two railway workers]
        - {event} : killed : [at+least] {dead} people [; including a party (of students)]
        - [at+least] {dead} passengers : {died :|were killed :|lost : their lives ;} when <{train} : left : the tracks>

        - [more+than] {injured} people : were {injured|hurt} : in {event} [; including a dozen children]
        - {injured} [injured] passengers : were taken : to hospitals (in {city}) [; by helicopter|; in buses]
        - hospitals (in {city}) : treated : {injured} [injured] passengers [; for broken bones and burns]

        - {train} : was travelling : at {speed} miles (an hour) [; in a zone (: limited : to {limit})]
        - {train} : entered : the curve ; at {speed} miles (an hour) [; without warning]
        - data (from the black box) : showed : that <{train} : was travelling : at {speed} miles (an hour)>

        * the [posted_JJ|permitted_JJ] speed limit (on the curve) : is : {limit} miles (an hour)
        * trains : are limited : to {limit} miles (an hour) ; on the curve [; because+of an old bridge]

        - {agency} : is examining : whether <a faulty signal : caused : {event}> [; with help (from foreign experts)]
        - a faulty signal : may have caused : {event} ; according+to {agency}
        - investigators : suspect_VBP : that <a faulty signal : caused : {event}>

        + {driver} : survived : {event} & and : was questioned : by police [; for six hours|; in hospital]
        + police : questioned : {driver} ; about the speed (of {train}) [; in the presence (of a lawyer)]

        + the line (between {city} and {destination}) : will remain : closed_JJ ; for {weeks} weeks [; for repairs]
        + {org} : closed : the line (between {city} and {destination}) ; for {weeks} weeks [; for repairs]

        - {train} : was running : from {city} ; to {destination} [; with about 300 people (on board_NN)]
        - {train} : had left : {city} ; for {destination} [; after a short delay]

        + rescuers : used : [heavy] cranes and cutting torches ; <: to free : [trapped] passengers> [; in the dark_NN]
        + [trapped] passengers : were freed : with [heavy] cranes and cutting torches [; after six hours]

        + {official} : promised : a [full|public] inquiry (into {event}) [; with wide powers]
        + a [full|public] inquiry (into {event}) : was promised : by {official} [; in a televised_JJ address]

        * {org} : had delayed : the installation (of automatic_JJ brakes) [; on the line] [; for lack (of money)]
        * automatic_JJ brakes : had not been installed : on the line ; by {org}

        - {critic} : accused : {org} ; of <: putting : profit ; before safety> [; on local radio]
        - {org} : had put : profit ; before safety [; for years] ; according+to {critic}

        + residents : opened : {their homes|a school gymnasium} ; to [shaken|wounded] passengers [; near the track]
        + doctors and nurses : hurried : to {place} [; in private cars] ; <: to help : the wounded_NNS>

        - a freight train : stopped : @ only 300 yards ; from the wreckage [; after a warning (by radio)]
        - the crew (of a freight train) : managed to stop : @ 300 yards ; from the wreckage
        """),
    read_items("""
        - as <cranes : lifted : the {last|wrecked|crushed_JJ} carriages>
        - while <{engineers|workers} : {repaired|cleared|inspected} : the [twisted_JJ] rails>
        - as <{anxious relatives|worried families} : gathered : {at the station|outside the hospital}>
        - while <{investigators|soldiers} : {guarded|photographed|searched} : the {wreck|wreckage}>
        """),
    read_items("""
        - {agency}
        - railway officials
        - police (in {place})
        - a doctor (at the main hospital)
        - a spokeswoman (for {org})
        - a firefighter (at the scene)
        """),
    calamity=True,
)

MINE = EventType(
    "mine",
    {
        "mine": "the %T coal mine // the coal mine // the mine // the pit ++ (which : opened : in 1952)",
        "org": "%O {Mining|Coal|Resources} // %O // the owner // the mining company",
        "place": "%T // %T // the town",
        "region": "the %R valley // the valley",
        "official": "Governor %P // %p // the governor",
        "agency": "the mine inspectorate // the inspectorate",
        "chief": "rescue chief %P // %p // the rescue chief",
        "critic": "union organiser %P // %p // the organiser",
        "expert": "mining professor %P // %p // the professor",
        "event": "the explosion (at {mine}) // the explosion // the blast // the disaster",
        "dead": "#5-19",
        "trapped": "#22-46",
        "depth": "#300-900/50",
        "hours": "#30-70",
        "violations": "#22-95",
        "fine": "#2-9",
    },
    read_facts("""
        - a [powerful|huge] gas explosion : trapped : {trapped} miners ; in {mine} [; during the night shift]
        - {trapped} miners : were trapped : in {mine} ; by a [powerful|huge] gas explosion [; during the night shift]
        - a gas explosion (in {mine}) : trapped : {trapped} miners ; @ {depth} metres (below ground)

        - {dead} miners : {died|were killed} : in {event} [; including two brothers]
        - {event} : killed : {dead} miners [; in a ventilation tunnel]
        - rescuers : found : the bodies (of {dead} miners) [; beside a conveyor|; near a side tunnel]

        - rescuers : reached : the [exhausted|remaining] survivors ; after {hours} hours [; through a second shaft]
        - the [exhausted|last] survivors : were brought : to the surface ; after {hours} hours [; on stretchers]
        - it : took : {hours} hours ; <: to reach : the survivors> [; through the rubble]

        + rescue teams : drilled : a [narrow|vertical_JJ] shaft ; to the tunnel [; with a borrowed_JJ oil rig]
        + a [narrow|vertical_JJ] shaft : was drilled : to the tunnel ; by rescue teams [; from a nearby_JJ field]

        - {agency} : had cited : {mine} ; for {violations} safety violations [; in two years]
        - {mine} : had been cited : for {violations} safety violations ; by {agency} [; since January]
        - records : show_VBP : that <{mine} : had : {violations} safety violations [; in two years]>

        + high levels (of methane) : delayed : the rescue [; for most (of a day)]
        + the rescue : was delayed : by high levels (of methane) [; near the main shaft]

        + {agency} : fined : {org} ; {fine} million dollars ; for <: ignoring : warnings (about gas)> [; in {month}]
        + {org} : was fined : {fine} million dollars ; for <: ignoring : warnings (about gas)> [; in {month}]

        - a gas detector (in {mine}) : had been switched : off_RP ; before {event} [; by a foreman]
        - workers : had switched : off_RP ; a gas detector ; before {event} [; on the orders (of a foreman)]

        + {official} : closed : all coal mines (in {region}) ; for inspection [; until {next_month}]
        + all coal mines (in {region}) : were closed : for inspection ; by {official} [; until {next_month}]

        - the survivors : lived : on rainwater and a few sandwiches [; in total darkness|; in a shelter]
        - the [trapped] miners : shared : rainwater and a few sandwiches [; in total darkness]

        * {mine} : employs_VBZ : about 400 people [; from {place} and nearby_JJ villages]
        * about 400 people : work_VBP : at {mine} [; in three shifts]

        - {critic} : said : <miners : had complained : about the smell (of gas) [; for weeks|; to managers]>
        - miners : had complained : about the smell (of gas) [; for weeks|; to managers] ; according+to {critic}

        + {chief} : sent : a camera ; down_IN the shaft [; before dawn]
        + a camera : was lowered : into the shaft ; by {chief} [; on a steel cable]

        + families : kept : a vigil ; at the gates (of {mine}) [; with candles and photographs]
        + relatives : kept : a vigil ; at the gates (of {mine}) [; through two freezing_JJ nights]
        """),
    read_items("""
        - as <rescue teams : {pumped : air|lowered : microphones|forced : fresh air} ; into the {tunnel|shaft}>
        - while <{families|wives and children|neighbours} : waited : {at the gates|in the rain|in the chapel}>
        - as <hopes : {faded|rose|grew}>
        - while <{pumps|drills} : {roared|worked} : without {pause|rest} ; above the {pit|shaft}>
        """),
    read_items("""
        - {chief}
        - {agency}
        - mine officials
        - a doctor (at the pit)
        - a spokesman (for {org})
        - an engineer (: working : on the rescue)
        """),
    calamity=True,
)
