print("before")
error("sorry")
