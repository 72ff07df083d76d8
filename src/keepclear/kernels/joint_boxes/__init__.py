"""Two links of a robot over a box of joint values: proved separate by bisection."""
