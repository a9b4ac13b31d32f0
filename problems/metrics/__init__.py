"""How good a structure is, judged against gold.

Importing this package stays cheap: the modules behind these names load their scoring libraries when first called.
(`rouge` is both a module and the function it exports. Importing the function here, at once, makes sure that
`problems.metrics.rouge` is the function, whatever is imported later.)
"""

from problems.metrics.rouge import rouge

__all__ = ["rouge"]
