'use strict';
const now = () => performance.timeOrigin + performance.now();
module.exports = ({ i, ms }) => {
  const start = now();
  const until = performance.now() + ms;
  while (performance.now() < until);
  return { i, start, end: now() };
};
