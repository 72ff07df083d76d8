"""What a world holds, and its frame loop: objects, robots, rules, current poses, near pairs."""
