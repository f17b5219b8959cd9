echo "before"
raise newException(ValueError, "sorry")
