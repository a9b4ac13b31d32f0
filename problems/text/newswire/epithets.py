"""Adjectives that a newspaper puts before a noun and that a summary can do without.

One adjective per noun and mention, now and then: they lengthen sentences and break up bigrams, and cutting them never
changes what is said.
"""

from __future__ import annotations

_TABLE = """
    police: local armed    families: grieving anxious local    passengers: frightened shaken elderly
    survivors: shaken injured weary    investigators: veteran_NN senior experienced    rescuers: tired volunteer_NN
    hospital: nearby_JJ busy local    hospitals: nearby_JJ busy regional    residents: worried local elderly angry
    officials: senior local regional    official: senior local    experts: independent foreign leading
    reporters: foreign local    lawyers: experienced leading    voters: young undecided    campaign: long bitter costly
    contract: lucrative disputed    strike: bitter costly    agreement: new fragile binding    talks: lengthy difficult
    offer: new generous formal    ferry: ageing doomed_JJ overcrowded    vessel: ageing doomed_JJ
    captain: experienced veteran_NN    train: crowded packed    express: crowded morning_NN    driver: experienced young
    mine: deep old remote    pit: deep old    miners: young experienced    storm: powerful violent_JJ
    hurricane: powerful violent_JJ    homes: wooden modest    villages: remote isolated    schools: local rural
    patients: sick elderly    nurses: young exhausted    vaccine: experimental    disease: deadly mysterious
    fever: deadly mysterious    outbreak: sudden deadly    epidemic: deadly    probe: unmanned_JJ robotic_JJ
    spacecraft: unmanned_JJ robotic_JJ    rocket: powerful giant_JJ    launch: spectacular_JJ long-awaited_JJ
    mission: ambitious risky_JJ    controllers: nervous relieved    engineers: young senior    jury: divided nervous
    verdict: unanimous_JJ long-awaited_JJ    court: crowded local    trial: lengthy sensational_JJ
    witnesses: key nervous    prosecutors: confident senior    stadium: modern costly    bribes: secret large
    deal: complex controversial_JJ    takeover: hostile controversial_JJ    merger: complex controversial_JJ
    shares: battered_JJ volatile    shareholders: small angry    jobs: permanent well-paid_JJ    plants: ageing old
    workers: angry underpaid    strikers: angry determined_JJ    union: powerful militant_JJ    pickets: noisy angry
    losses: heavy enormous    supporters: cheering_JJ loyal noisy    defeat: narrow humiliating_JJ
    observers: independent neutral_JJ    complaints: written_JJ formal    parliament: new divided    result: final official
    damage: heavy widespread    rooftops: slippery_JJ flooded    shelters: temporary makeshift    bridge: narrow old
    curfew: nightly_JJ    inquiry: independent thorough    investigation: independent thorough    sinking: tragic sudden
    disaster: terrible tragic    accident: terrible tragic fatal    crash: terrible fatal    derailment: fatal
    explosion: violent_JJ deadly    blast: violent_JJ deadly    tracks: slippery_JJ wet    search: difficult lengthy
    soldiers: young armed    students: young angry    journalists: foreign curious_JJ    documents: secret leaked_JJ
    hearing: public lengthy    letter: angry emotional    complaint: written_JJ lengthy    government: nervous embattled_JJ
    cabinet: divided nervous    relatives: anxious tearful    victims: young unidentified_JJ    streets: crowded narrow
    company: troubled_JJ    buyer: ambitious    target: troubled_JJ    railway: struggling_JJ    operator: troubled_JJ
    banks: foreign large    walkout: costly lengthy    dispute: bitter lengthy    stoppage: costly    vote: tense decisive_JJ
    election: tense decisive_JJ    defendant: calm motionless    shaft: narrow deep    tunnel: dark narrow    camera: small
    boats: small private    helicopter: military    divers: experienced military    wreck: rusty    carriages: empty modern
    """

EPITHETS: dict[str, list[str]] = {}
_noun = ""
for _token in _TABLE.split():
    if _token.endswith(":"):
        _noun = _token[:-1]
        EPITHETS[_noun] = []
    else:
        EPITHETS[_noun].append(_token)
