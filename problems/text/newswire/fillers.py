"""Sentences that fill a newspaper column: quotes in indirect speech from people who know little.

`{witness}` is a passer-by invented for the occasion, `{source}` one of the story's voices; neither adds a fact.
"""

from __future__ import annotations

from problems.text.newswire.story import read_items

WITNESSES = read_items("""
    - shopkeeper %P
    - schoolteacher %P
    - retired engineer %P
    - taxi driver %P
    - student %P
    - nurse %P
    - baker %P
    - farmer %P
    - cook %P
    - bank clerk %P
    - mechanic %P
    - carpenter %P
    - librarian %P
    - accountant %P
    - local resident %P
    - pensioner %P
    - street vendor %P
    - electrician %P
    """)

FILLERS = read_items("""
    - {witness} : said : <{witness.he} : had never {seen|known|imagined} : anything (like it)> [; in {witness.his}
      {whole|long} life]
    - {witness} : said : <{witness.he} : was still {trying|struggling} to understand : the news>
      [; after a sleepless_JJ night]
    - {source} : said : <it : was : too early (: to {assign : blame|draw : {final|firm} conclusions})>
    - {source} : {added|said} : that <nobody : should {jump : to conclusions|expect : {quick|easy} answers}>
      [; at this {early|difficult} stage]
    - {witness} : {shook|lowered} : {witness.his} head & and : said : <the {whole|entire} {street|village|neighbourhood}
      : was : worried>
    - {witness} : told : {a reporter|local radio|{paper}} ; that <{witness.he} : would {remember|never forget} : the
      {day|morning|week} ; for the rest (of {witness.his} life)>
    - {source} : promised to {give|release|share} : more details ; when <they : {became|were} : available>
    - people (in {place}) : {talked|spoke|argued} : about it [; in the {cafes|shops|bars|market}] [; @ all week]
    - {witness} : {learned|heard} : the news ; {on the radio|from a neighbour|from {witness.his} brother}
      [; at breakfast] & and : could {hardly|not} believe : it
    - {source} : {urged|asked} : the public_NN ; <: to {remain : calm|be : patient}> [; for a few {days|hours}]
    - {witness} : {hoped|wished} : that <life : would [soon] return : to normal> [; for the sake (of the children)]
    - many questions : {remained|were} : {open|unanswered_JJ} [; in the eyes (of many people)]
    - the {mood|atmosphere} (in {place}) : was : {grim|calm|tense|strange|sombre} [; under a {grey_JJ|pale_JJ|low} sky]
    - {source} : {warned|cautioned} : that <the {coming_JJ|next} {days|weeks} : would be : {difficult|decisive_JJ|hard}>
      [; for everyone (: involved)]
    - it : was : not {immediately|entirely} clear ; how <{source} : had reached : that conclusion>
    - {witness} : {had : mixed feelings|was : of two minds} ; about the {whole|entire} {story|affair|business}
    - {witness} : {kept|carried} : a {newspaper|photograph|radio} ; in {witness.his} {pocket|bag|shop} & and :
      {followed|discussed} : the news ; with {friends|customers|strangers}
    - {source} : {spoke|answered} : {calmly|slowly|briefly} & and : took : no {further|more} questions
      [; from reporters]
    - {witness} : was : among the people (who : {came|walked|drove} : {to the town hall|to the square}
      ; <: to {ask : questions|hear : the latest news|light : a candle}>)
    - {source} : {rejected|dismissed} : the {rumours|reports|speculation} ; as {pure_JJ|mere_JJ|idle_JJ}
      {gossip|fantasy} [; with a {shrug|smile|sigh}]
    - {witness} : {blamed : nobody|felt : no anger} & but : wanted to know : the truth [; about it]
    - few people (in {region}) : expect_VBP : a {quick|simple|happy} end (to the {story|affair})
    """)
