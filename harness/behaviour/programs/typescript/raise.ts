console.log("before");
throw new Error("sorry");
