/** Functions whose calls are no tasks, but what runs these. */
import type { Place } from './places';

/** Functions that only run what they are given, whoever calls them. A guess by name: who calls a task looks the same as a task that calls its first step. */
const RUNNERS = /^_(?:write|writev|transform|final|read)$|^_?(?:(?:run|start|launch|exec|call|invoke|attempt|try|retry|with|time|measure|wrap|limit|schedule|enqueue|dequeue|drain|pump|flush|submit)(?![a-z])|(?:add|push|use|fill|execute|perform|spawn|dispatch|trigger|timed|limiter|limited|throttled|concurrently)$)/;
/** The same of those that go on with the next by themselves, as lanes do, or are what a lane, or whoever else, runs. */
const LANES = /^_?(?:next|\w+Next|more|pull|arm|rail|feed|advance|proceed|refill|consume|consumer|work|worker|process|tick|go|loop|lane|task|job)$/;

/** Whether a function only runs what it is given, as far as its name tells. */
export const isRunner = (place: Place): boolean => handsOn(place) || LANES.test(place.lastName);

/** Whether a function hands on what it is given, and is no lane, as far as its name tells. */
export const handsOn = ({ lastName }: Place): boolean => RUNNERS.test(lastName);
