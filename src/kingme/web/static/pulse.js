// A worker that does nothing but tick: browsers slow down the timers of pages in the background, but not these.
setInterval(() => postMessage(0), 500);
