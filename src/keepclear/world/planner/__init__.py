"""Questions of planners about one robot: edges, configurations, and configurations proved free."""
