for (let i = 1; i <= 1000000; i++) console.log(i);
