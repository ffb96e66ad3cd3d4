// @style PromisePool.process(plain function) in PromisePool.process(plain function); inner errors handled, one outer task rejects in the end
// @lib @supercharge/promise-pool
// @expect teams: pool tasks=5 conc=2 ok=4 error=1 peak=2
// @expect members-*: pool groups=5 tasks=4 conc=2 peak=2 parent=teams/*
// @expect members-1: pool ok=3 error=1
// @expect members-3: pool ok=1 error=3
// @expect members-4: pool ok=4 error=0
import { PromisePool } from '@supercharge/promise-pool';
import gt from '../gt.cjs';

const teams = gt.group({ name: 'teams', kind: 'pool', lib: '@supercharge/promise-pool', concurrency: 2, declared: 5 });
const broken = new Set([6, 13, 14, 15]);

const invite = (members, team) => (member) => { // @task members-*
  const t = members.start(member);
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      if (broken.has(team * 4 + member)) reject(t.fail(new Error(`member ${team}.${member}`)));
      else resolve(t.ok(member));
    }, gt.ms(team * 4 + member, 15, 45));
  });
};

const setUp = (team) => { // @task teams
  const t = teams.start(team);
  const members = gt.group({ name: `members-${team}`, kind: 'pool', lib: '@supercharge/promise-pool', concurrency: 2, declared: 4, parent: t });
  return PromisePool.withConcurrency(2).for(gt.range(4)).process(invite(members, team)) // @group members-*
    .then(({ results, errors }) => {
      members.end();
      if (errors.length > 1) throw t.fail(new Error('team ' + team));
      return t.ok(results);
    });
};

const { errors } = await PromisePool.for(gt.range(5)).withConcurrency(2).process(setUp); // @group teams
teams.end();
if (errors.length !== 1) process.exitCode = 1;
