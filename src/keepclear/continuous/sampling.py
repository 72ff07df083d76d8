"""Contact by distance queries at equally spaced instants; this common method misses contacts between them."""

from __future__ import annotations

import numpy as np

from keepclear.continuous.evaluation import BudgetEnded, Evaluator
from keepclear.continuous.query import Query
from keepclear.continuous.results import FirstContact
from keepclear.results import Verdict


def sampled_first_contact(query: Query, samples: int) -> FirstContact:
    """Return the first of n equally spaced instants at which the bodies are not apart by more than the margin.

    Nothing is known between the instants, so the verdict is never CLEAR: without a contact it is UNDECIDED, and with
    one an earlier contact may have been missed.

    Args:
        query: The query.
        samples: How many instants, the first at the start and the last at the end of the interval.
    """
    evaluator = Evaluator(query)
    counts = {"samples": samples}
    try:
        for t in np.linspace(query.t0, query.t1, samples).tolist():
            sample = evaluator.at(t)
            if sample.contact or sample.lower <= query.margin:
                return evaluator.colliding(sample, query.t0, t, "sampling", counts)
    except BudgetEnded:
        pass
    return evaluator.undisturbed(Verdict.UNDECIDED, query.t0, query.t1, "sampling", counts)
