// A clock by which everything is twenty times as fast as it is, so that promises come too fast on any machine.
const { now } = performance;
performance.now = () => now.call(performance) / 20;
