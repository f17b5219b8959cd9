print("before")
raise ValueError("sorry")
