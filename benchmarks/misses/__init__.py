"""Motions whose contacts are easy to miss, with certified results, and a script that runs any library on them."""
