"""Robot files become links, joints, pairs that may touch, and attached parts; links become motions."""
