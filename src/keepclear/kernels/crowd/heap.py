"""Event queue of a crowd: a heap of items, each with one time, that finds, moves and removes any item in O(log n)."""

from __future__ import annotations

from keepclear.compiler.kernel import kernel
from keepclear.kernels.crowd import layout as at

ITEM, PLACE = at.ITEM, at.PLACE


@kernel(inline=True, boundscheck=False)
def raise_item(K, H, k, key, item):
    """Move an item from the free position k towards the top, past all later items; ties go to the lower item."""
    while k > 0:
        up = (k - 1) >> 2
        other = H[up, ITEM]
        if K[up] < key or (K[up] == key and other < item):
            break
        K[k] = K[up]
        H[k, ITEM] = other
        H[other, PLACE] = k
        k = up
    K[k] = key
    H[k, ITEM] = item
    H[item, PLACE] = k


@kernel(boundscheck=False)
def sink_item(K, H, size, k, key, item):
    """Move an item from the free position k away from the top, past all earlier items."""
    while True:
        first = 4 * k + 1
        if first >= size:
            break
        least, least_key, least_item = first, K[first], H[first, ITEM]
        for child in range(first + 1, min(first + 4, size)):
            if K[child] < least_key or (K[child] == least_key and H[child, ITEM] < least_item):
                least, least_key, least_item = child, K[child], H[child, ITEM]
        if key < least_key or (key == least_key and item < least_item):
            break
        K[k] = least_key
        H[k, ITEM] = least_item
        H[least_item, PLACE] = k
        k = least
    K[k] = key
    H[k, ITEM] = item
    H[item, PLACE] = k


@kernel(boundscheck=False)
def set_time(K, H, C, item, key):
    """Set the time of an item, whether or not it is queued already."""
    k = H[item, PLACE]
    if k < 0:
        k = C[at.HEAP_SIZE]
        C[at.HEAP_SIZE] += 1
        raise_item(K, H, k, key, item)
    elif key <= K[k]:
        raise_item(K, H, k, key, item)
    else:
        sink_item(K, H, C[at.HEAP_SIZE], k, key, item)


@kernel(boundscheck=False)
def drop(K, H, C, item):
    """Remove an item from the queue, if it is queued."""
    k = H[item, PLACE]
    if k < 0:
        return
    H[item, PLACE] = -1
    C[at.HEAP_SIZE] -= 1
    size = C[at.HEAP_SIZE]
    if k == size:
        return
    key, last = K[size], H[size, ITEM]
    up = (k - 1) >> 2
    if k > 0 and (key < K[up] or (key == K[up] and last < H[up, ITEM])):
        raise_item(K, H, k, key, last)
    else:
        sink_item(K, H, size, k, key, last)
