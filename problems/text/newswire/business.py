"""Stories of business and labour: a takeover, a strike. The shorthand is explained in `notation.py`."""

from __future__ import annotations

from problems.text.newswire.story import EventType, read_facts, read_items

TAKEOVER = EventType(
    "takeover",
    {
        "place": "%T // %T // the city",
        "region": "%R // the region",
        "org": "%O {Motors|Foods|Pharmaceuticals|Software} // %O // the buyer ++ (which : employs_VBZ : 20 thousand "
        "people)",
        "target": "its {smaller|old|domestic} rival %O // %O // the target ++ (which : was founded : in 1921)",
        "rivalbid": "the investment fund %O {Capital|Partners} // %O // the fund",
        "boss": "chief executive %P // %p // the chief executive ++ (who : joined : the company ; in 1998)",
        "seller": "chairman %P // %p // the chairman",
        "official": "economy minister %P // %p // the minister",
        "agency": "the competition authority // the authority // the regulator",
        "critic": "union official %P // %p // the union official",
        "expert": "bank analyst %P // %p // the analyst",
        "event": "the takeover // the deal // the merger // the acquisition",
        "price": "#3-9",
        "tenths": "#2-8",
        "pershare": "#18-74",
        "premium": "#17-42",
        "cuts": "#900-4500/100",
        "plants": "#2-6",
        "savings": "#120-480/20",
        "rise": "#11-28",
        "fall": "#3-8",
    },
    read_facts("""
        - {org} : agreed to {buy|acquire} : {target} ; for {price} billion dollars [; in cash and stock|; after months
          (of talks)]
        - {org} : {announced|unveiled} : a {price} billion dollar takeover (of {target}) [; after months (of talks)]
        - {target} : {accepted|approved} : a {price} billion dollar offer (from {org}) [; after a long night (of talks)]

        - {event} : will cost : [about] {cuts} jobs [; over three years|; in both companies]
        - {org} : {plans_VBZ|intends_VBZ} to cut : [about] {cuts} jobs [; over three years|; mostly in administration]
        - [about] {cuts} jobs : will be {cut|lost} : after {event} [; in both companies]

        - {org} : will pay : {pershare} dollars (a share) [; in cash]
        - shareholders : will receive : {pershare} dollars (for each share (of {target}))
        - the offer (of {pershare} dollars (a share)) : is : @ {premium} percent ; above the [last] closing price

        - {agency} : must [still] approve : {event} [; in a review (of several months)]
        - {event} : needs_VBZ : the approval (of {agency}) [; before the summer]
        - {agency} : will review : {event} [; for up+to six months|; with special care]

        - the merged_JJ company : will be : the largest company (of its kind) [; in {region}]
        - {event} : creates_VBZ : the largest company (of its kind) [; on the continent]

        + shares (of {target}) : {rose|jumped|soared} : @ {rise} percent [; in heavy trading|; in early trading]
        + investors : pushed : shares (of {target}) ; up_RP ; @ {rise} percent [; in heavy trading]

        + shares (of {org}) : {fell|dropped|slipped} : @ {fall} percent [; on fears (of new debt)]
        + {org} : lost : {fall} percent (of its market value) [; within hours]

        - {boss} : will lead : the merged_JJ company [; from offices (in {place})]
        - the merged_JJ company : will be led : by {boss} [; from offices (in {place})]

        - {org} : expects_VBZ : [annual] savings (of {savings} million dollars) [; from the third year]
        - [annual] savings (of {savings} million dollars) : are expected : by {org}

        + {critic} : threatened : a strike ; against {event} [; at all plants]
        + the unions : threatened : a strike ; against {event} [; at all plants] ; according+to {critic}

        + {rivalbid} : withdrew : a [lower|rival] bid [; without explanation]
        + a [lower|rival] bid (by {rivalbid}) : {was withdrawn|failed} [: in the final round]

        - {plants} [older_JJR|smaller] plants : will be closed : by {org} [; within two years]
        - {org} : will close : {plants} plants (in {region}) [; within two years]

        - {seller} : will {resign|step down_RP} : after {event} [; with a payment (of 12 million dollars)]
        - {event} : ends_VBZ : the long career (of {seller}) [; at {target}]

        * {target} : had lost : money ; for three years [; because+of weak sales (abroad)]
        * {target} : has reported : three years (of losses)

        + {official} : {welcomed|supported} : {event} [; with some reservations] & but : asked : for job guarantees
        + {official} : asked : {org} ; for job guarantees [; in a private meeting]

        - {org} : will borrow : two billion dollars ; from a group (of banks) [; at low rates]
        - a group (of banks) : will lend : {org} ; two billion dollars
        """),
    read_items("""
        - as <{rival firms|competitors|other bidders} : {studied|considered} : their {options|next steps}>
        - as <{lawyers|bankers|advisers} : worked : {through the night|on the details}>
        - as <{rising costs|falling_JJ prices|weak demand} : {squeezed|hurt} : the {industry|whole sector}>
        - while <{workers|employees} : {protested|waited : for news} ; outside the {headquarters|main plant}>
        """),
    read_items("""
        - {boss}
        - both companies
        - a spokesman (for {org})
        - a person (familiar (with the talks))
        - analysts (in {place})
        - union officials
        """),
    calamity=False,
)

STRIKE = EventType(
    "strike",
    {
        "place": "%T // %T // the city",
        "region": "the %R region // the region",
        "kind": "{bus drivers|dock workers|hospital workers|airport workers|postal_JJ workers}",
        "workers": "the {|striking_JJ} workers // the strikers // the workers",
        "union": "the {transport|public service} union // the union",
        "leader": "union leader %P // %p // the union leader ++ (who : has led : the union ; since 2003)",
        "org": "the %T {Public|Regional} Authority // the authority // the employer",
        "boss": "managing director %P // %p // the managing director",
        "official": "labour minister %P // %p // the minister",
        "agency": "the arbitration board // the board",
        "critic": "business leader %P // %p // the business leader",
        "expert": "labour economist %P // %p // the economist",
        "event": "the strike // the walkout // the dispute // the stoppage",
        "members": "#11-60",
        "demand": "#6-12",
        "offer": "#2-4",
        "extra": "#1-2",
        "final": "=offer+extra",
        "days": "#8-21",
        "loss": "#20-90/5",
        "arrests": "#12-60",
        "stations": "#30-110/10",
    },
    read_facts("""
        - [some] {members} thousand {kind} : {walked : off the job|went : on strike} ; in {place} [; at midnight
          |; before the morning rush]
        - {union} : called : {members} thousand workers ; out_RP ; on strike ; in {place} [; at midnight]
        - a strike (by {members} thousand workers) : {paralysed|crippled} : {place} [; from the first hour]

        - {union} : {demands_VBZ|wants_VBZ} : a pay rise_NN (of {demand} percent) [; with shorter hours]
        - the strikers : {demand_VBP|want_VBP} : a pay rise_NN (of {demand} percent) [; after two lean_JJ years]
        - {leader} : demanded : a pay rise_NN (of {demand} percent) [; in an angry speech]

        - {org} : offered : a pay rise_NN (of {offer} percent) [; over two years]
        - {union} : rejected : an offer (of {offer} percent) ; from {org} [; by a show_NN (of hands)]
        - an offer (of {offer} percent) : was rejected : by {union} [; as an insult]

        - {union} and {org} : {reached|signed} : an agreement ; after {days} days [; in the small hours]
        - {event} : ended : after {days} days ; with an agreement (on pay_NN) [; in the small hours]
        - an agreement (on pay_NN) : ended : {event} ; after {days} days

        - {workers} : will receive : {final} percent [; over two years] ; under the agreement
        - the agreement : gives_VBZ : {workers} ; {final} percent [; over two years]

        - {event} : cost : local business ; {loss} million dollars (a day) [; in lost sales]
        - shops and factories : lost : {loss} million dollars (a day) [; because+of {event}]
        - {critic} : put : the losses ; at {loss} million dollars (a day)

        + {official} : sent : a [senior|neutral_JJ] mediator ; to the talks [; at the request (of both sides)]
        + a [senior|neutral_JJ] mediator : was sent : to the talks ; by {official}

        - talks : {collapsed|broke down_RP} : over [health|pension] benefits [; after 14 hours]
        - [health|pension] benefits : were : the main obstacle (in the talks)

        + police : arrested : {arrests} pickets ; at the [main|north] gate [; after scuffles]
        + {arrests} pickets : were arrested : at the [main|north] gate [; after scuffles]

        - a judge : {ordered|told} : {union} ; <: to keep : {stations} depots ; open> [; under an old law]
        - {union} : ignored : a court order (: to keep : {stations} depots ; open)

        + residents : complained : about {event} [; in letters (to {paper})|; on local radio]
        + residents : lost : patience ; with {event} [; after the first week]

        - members (of {union}) : must [still] approve : the agreement [; in a postal_JJ ballot]
        - the agreement : needs_VBZ : the approval (of the members) [; in a postal_JJ ballot]

        - {boss} : blamed : {union} ; for the failure (of the first talks) [; in a letter (to staff)]
        - {union} : was blamed : for the failure (of the first talks) ; by {boss}

        * {event} : was : the first (of its kind) ; since 1988 [; in {region}]
        * {workers} : had not stopped : work_NN ; since 1988 [; despite repeated threats]

        + teachers and nurses : {held|staged} : a [brief|short] sympathy strike [; in support (of {workers})]
        + a [brief|short] sympathy strike : was held : by teachers and nurses [; in three towns]
        """),
    read_items("""
        - as <{traffic|freight|mail} : {piled : up_RP|came : to a halt} ; {across the city|on the main roads}>
        - while <{pickets|strikers} : {burned : tyres|handed : out_RP ; leaflets} : at the {gates|depot}>
        - as <{negotiators|lawyers} : {worked|argued} : through the {night|weekend}>
        - while <{shops|schools|offices} : {stayed|remained} : {closed_JJ|empty}>
        """),
    read_items("""
        - {union}
        - {leader}
        - {boss}
        - the mediator
        - a spokeswoman (for {org})
        - officials (on both sides)
        """),
    calamity=False,
)
