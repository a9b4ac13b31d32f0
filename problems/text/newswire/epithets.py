"""Adjectives that a newspaper puts before a noun and that a summary can do without.

One adjective per noun and mention, now and then: they lengthen sentences and break up bigrams, and cutting them never
changes what is said.
"""

from __future__ import annotations

_TABLE = """
    accident: terrible tragic fatal    agency: cautious small    agreement: new fragile binding
    analyst: respected_JJ    authority: cautious    blast: violent_JJ deadly    board: independent
    boats: small private    bodies: battered_JJ    bribes: secret large    bridge: narrow old    bureau: small
    buyer: ambitious    cabinet: divided nervous    camera: small    campaign: costly negative
    captain: experienced veteran_NN    carriages: empty modern    cars: private    charges: serious grave
    church: old small    churches: old local    city: historic crowded    claims: costly large
    coast: southern rugged_JJ    commission: independent    community: small close-knit_JJ    company: troubled_JJ
    complaint: written_JJ lengthy    complaints: written_JJ formal    contract: lucrative disputed
    controllers: nervous relieved    county: rural quiet    court: crowded local    cranes: giant_JJ
    crash: terrible fatal    crowd: large noisy    curfew: nightly_JJ    damage: heavy widespread
    deal: complex controversial_JJ    debate: fierce heated    deck: lower upper    defendant: calm motionless
    derailment: fatal    disaster: terrible tragic    disease: deadly mysterious    dispute: bitter lengthy
    divers: experienced military    doctor: young    documents: secret leaked_JJ    doors: heavy wooden
    driver: experienced young    economist: respected_JJ    election: tense decisive_JJ    engineer: retired
    engineers: young senior    epidemic: deadly    experts: independent foreign leading
    explosion: violent_JJ deadly    express: crowded morning_NN    families: anxious local
    ferry: ageing doomed_JJ overcrowded    fever: deadly mysterious    firefighter: exhausted    gates: iron_NN
    government: nervous embattled_JJ    governor: popular embattled_JJ    hearing: public lengthy
    helicopter: military    homes: wooden modest    hospital: nearby_JJ busy local
    hospitals: nearby_JJ busy regional    hurricane: powerful violent_JJ    inquiry: independent thorough
    investigation: independent thorough    investigators: veteran_NN senior experienced
    jobs: permanent well-paid_JJ    journalists: foreign curious_JJ    jury: divided nervous
    launch: spectacular_JJ long-awaited_JJ    lawmakers: angry senior    lawyers: experienced leading
    leaders: prominent senior    letter: angry emotional    load: heavy    losses: heavy enormous
    markets: nervous busy    masks: cheap white_JJ    mayor: popular    merger: complex controversial_JJ
    mine: deep old remote    miners: young experienced    minister: embattled_JJ outspoken_JJ
    mission: ambitious risky_JJ    neighbours: curious_JJ worried    nurses: young exhausted
    observers: independent neutral_JJ    offer: new generous formal    official: senior local
    officials: senior local regional    operator: troubled_JJ    outbreak: sudden deadly    parliament: new divided
    passengers: frightened shaken elderly    patients: sick elderly    pickets: noisy angry    pit: deep old
    plants: ageing old    police: local armed    president: veteran_NN    probe: unmanned_JJ robotic_JJ
    professor: respected_JJ    prosecutors: confident senior    province: remote poor    railway: struggling_JJ
    region: remote poor    relatives: anxious tearful    repairs: urgent costly    reporters: foreign local
    rescuers: tired volunteer_NN    residents: worried local elderly angry    result: final official
    rocket: powerful giant_JJ    rooftops: slippery_JJ flooded    schools: local rural
    scientist: leading respected_JJ    search: difficult lengthy    shaft: narrow deep    shareholders: small angry
    shares: battered_JJ volatile    shelters: temporary makeshift    sinking: tragic sudden    soldiers: young armed
    spacecraft: unmanned_JJ robotic_JJ    spokesman: unnamed    stadium: modern costly    station: small old
    stoppage: costly    storm: powerful violent_JJ    streets: crowded narrow    strike: bitter costly
    strikers: angry determined_JJ    students: young angry    supporters: cheering_JJ loyal noisy
    survivors: shaken weary grateful    takeover: hostile controversial_JJ    talks: lengthy difficult
    target: troubled_JJ    teachers: local    tents: large white_JJ    town: quiet small    tracks: slippery_JJ wet
    train: crowded packed    trial: lengthy sensational_JJ    tunnel: dark narrow    union: powerful militant_JJ
    vaccine: experimental    verdict: unanimous_JJ long-awaited_JJ    vessel: ageing doomed_JJ
    victims: young unidentified_JJ    village: remote small    villages: remote isolated
    volunteers: young tireless_JJ    voters: young    walkout: costly lengthy    warnings: urgent early
    witnesses: key nervous    workers: angry underpaid    wreck: rusty
    """

EPITHETS: dict[str, list[str]] = {}
_noun = ""
for _token in _TABLE.split():
    if _token.endswith(":"):
        _noun = _token[:-1]
        EPITHETS[_noun] = []
    else:
        EPITHETS[_noun].append(_token)
