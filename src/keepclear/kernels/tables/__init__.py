"""Tables that Python and kernels share, as arrays of named records: `pairs[k].margin` here, `pairs["margin"]` there.

Each module has the record types of one subject, with a comment for each field. Nothing else knows sizes or offsets.
Signatures of kernels name them: `@kernel("void(PAIR[::1], int64)")`.
"""

from keepclear.kernels.tables.convex import MOTION, SHAPE
from keepclear.kernels.tables.pair import PAIR
from keepclear.kernels.tables.sample import BODY, SAMPLED

RECORDS = {"PAIR": PAIR, "SHAPE": SHAPE, "MOTION": MOTION, "BODY": BODY, "SAMPLED": SAMPLED}
"""Every record type by its name in signatures."""
