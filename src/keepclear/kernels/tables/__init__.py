"""Tables that Python and kernels share, as arrays of named records: `pairs[k].margin` here, `pairs["margin"]` there.

Each module has the record types of one subject, with a comment for each field. Nothing else knows sizes or offsets.
Signatures of kernels name them: `@kernel("void(PAIR[::1], int64)")`.
"""

import numpy as np

from keepclear.kernels.tables import body, frame, joint_boxes, motion, pair, robot, sample

RECORDS = {
    name: fields
    for module in (body, frame, joint_boxes, motion, pair, robot, sample)
    for name, fields in vars(module).items()
    if isinstance(fields, np.dtype)
}
"""Every record type by its name in signatures."""
