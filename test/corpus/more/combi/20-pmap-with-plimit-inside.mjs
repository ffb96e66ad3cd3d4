// @style p-map over repositories with a plain mapper; every mapper call makes a p-limit of its own for the branches
// @lib p-map
// @expect repos: pool tasks=5 conc=2 ok=5 error=0 peak=2
// @expect branches-*: pool groups=5 tasks=4 conc=3 ok=4 error=0 peak=3 parent=repos/*
import pMap from 'p-map';
import pLimit from 'p-limit';
import gt from '../gt.cjs';

const repos = gt.group({ name: 'repos', kind: 'pool', lib: 'p-map', concurrency: 2, declared: 5 });
const pause = (ms) => new Promise((r) => setTimeout(r, ms));

const cloneBranch = (group, repo, branch) => { // @task branches-*
  const t = group.start(branch);
  return pause(gt.ms(repo * 4 + branch, 20, 60)).then(() => t.ok(`${repo}/${branch}`));
};

const cloneRepo = (repo) => { // @task repos
  const t = repos.start(repo);
  const limit = pLimit(3);
  return pause(10).then(() => {
    const group = gt.group({ name: `branches-${repo}`, kind: 'pool', lib: 'p-limit', concurrency: 3, declared: 4, parent: t });
    return Promise.all(gt.range(4).map((branch) => limit(cloneBranch, group, repo, branch))) // @group branches-*
      .then((heads) => { group.end(); return t.ok(heads); });
  });
};

const heads = await pMap(gt.range(5), cloneRepo, { concurrency: 2 }); // @group repos
repos.end();
if (heads.flat().length !== 20) process.exitCode = 1;
