/** The lessons in English. Parameters and figures are named by the scripts themselves. */
export interface LessonWords {
  readonly title: string;
  /** By the names in `steps.ts`. */
  readonly steps: Readonly<Record<string, string>>;
}

export const lessonsEn: Readonly<Record<string, LessonWords>> = {
  'chunk-vs-rail': {
    title: 'Chunks against rails',
    steps: {
      problem: 'A thousand lookups wait for a database that has a pool of 50 connections. All at once is too many; one by one takes twenty minutes. How do you keep 50 of them going?',
      draw: 'Draw it first. Ten tasks, five at a time. Drag the end of a bar, or choose one and use the arrow keys: the chunks and the rails lay themselves out anew. A chunk lasts as long as its longest promise; nothing may start in the hatched time.',
      figure: 'Now run those ten tasks, and compare with your drawing. As chunks they take 16.6 units, on rails 14.3: task 7 starts as soon as a rail is free, and does not wait for task 1.',
      experiment: '1,000 sleeps of half a second to two seconds, 50 at a time. With 50 in a chunk, one is nearly always close to two seconds: a chunk takes 1.97 s on average, and twenty of them 39.4 s. Rails only share out the work: 25 s at the least, and the document measured 26.455 s, a third less.',
      similar: 'Tasks that take nearly the same time leave no gaps. There is no big difference: look at the last figure, and at how little is hatched.',
      heavy: 'A few tasks that take very long: the usual picture of a service under load. Now nearly every chunk waits for one of them, while the rails beside it go on.',
      connections: 'The pool of 50 is shared: other servers use 30 of its connections. Of 50 tasks that run, 30 only wait for one, so neither way can be faster than 20 at a time. Set the limit below what is really free.',
      libraries: 'es6-promise-pool asks a function for the next promise, @supercharge/promise-pool takes a list. Both keep the same rails: the difference is in how you like to write it.',
      advice: 'Before you switch: results under test resources need checking under real ones, and where Promise.all already does, don’t switch.',
    },
  },
  'read-files': {
    title: 'Reading many files',
    steps: {
      question: 'Is Promise.all the efficient way to read thousands of files? The document read 100,000 of them. Here some are made, read in eleven ways, and removed again. Times are given per file, so that they can be compared.',
      ways: 'Run it, and look at the table: one by one, all at once, with and without Promise.all, by worker threads, streamed by messages, and without Node by programs of the shell. Files just written come out of memory: all is quicker than in the document, and the order may be another.',
      libuv: 'With or without Promise.all is the same: the promises are only bookkeeping. The reads themselves stand in line for libuv’s threads, of which there are four. That line is drawn as a strip, “libuv”, below the bars: with Node 24.21 or 26, and before them with the backend async_hooks.',
      threads: 'UV_THREADPOOL_SIZE sets their number. More of them help where a read has to wait for a disk or a network; files that were just written come out of memory, and then the CPUs are the limit.',
      share: 'In a container a process is often granted a fraction of a CPU. More workers then share that fraction: each gets less, and all together are no faster. Here the process is really stopped when its share is used up, where the system allows it. Four workers on 0.6 of a CPU have 15 per cent each; the last way takes its CPU time, divided by its share.',
    },
  },
  'fail-fast': {
    title: 'One rejection among many',
    steps: {
      rule: 'When one promise of a Promise.all rejects, the whole call rejects at once. What becomes of the others?',
      rejects: 'Run it: the third of ten tasks fails. The call is over; seven tasks keep running, hold their connections, and finish. Nobody reads their results: they are drawn hollow.',
      none: 'Where none fails, both calls end with the slowest task, and hand over all results.',
      advice: 'Promise.all is right where one failure makes the rest worthless. Where each result counts by itself, use allSettled; where the others should stop, they need a signal of their own.',
    },
  },
  'pipeline': {
    title: 'A pipeline of four stages',
    steps: {
      stages: 'Items are made a tenth of a millisecond apart, converted twice in order, and finished on 16 lanes. Between the stages stand queues that hold eight items: a stage that cannot get rid of its items takes no new ones. Every delay is doubled here, for the clock of Node knows whole milliseconds only.',
      variants: 'Run all six variants, and open the tables below the figures. A topic sends every item to every lane and waits for the fullest of their queues: it is the slowest. A fan-out of its own sends each item where it belongs; now step 2 limits. Joined, steps 1 and 2 share their lanes, and only the last stage limits. Compare the ratios with the document’s, not the rates: here one thread does everything.',
      pressure: 'The last stage is five times as slow now. Its pace becomes the pace of all: that is back-pressure. In the table of the stages, “no room behind” grows from stage to stage up to the start. Below it one item is followed on its way.',
      order: 'Step 2 has only four lanes now, and it keeps order. An item that is done waits for the slow one before it: head-of-line blocking. The column “held by order” says how much of their time its lanes lose to that.',
      lessons: 'A fan-out pays against a topic, for a lane waits for nobody else’s items. Joining two ordered stages pays, for items wait in line once and not twice. Filtering before the emit gained nothing, and keeping order up to the fan-out cost nothing. In the document one last stage without a fan-out was slower, too: its 16 threads fought for one queue. Here one thread does everything, and nobody fights.',
    },
  },
  'sync-vs-async': {
    title: 'Sync against async reads',
    steps: {
      question: 'readFileSync does nothing but read. fs.promises.readFile makes promises, and goes through libuv’s threads. Which is faster?',
      table: 'Run it: 1, 2 and 100 files, four runs each, once out of memory and once from the disk. The tables below the figures have every run. Out of memory sync wins. The first run differs: nothing is compiled yet. A promise itself costs next to nothing.',
      more: 'More files. From the disk the async overhead pays as concurrency grows, and the ratio falls towards 1: four threads wait together. Out of memory there is nothing to wait for, and the ratio stays where it is. A disk is moody: run it a few times.',
      blocked: 'But sync stops everything else. The last two figures say how late a timer’s turn came beside sync reads and beside async ones. On a server those are other people’s requests.',
    },
  },
  'thread-pool': {
    title: 'Tuning a thread pool',
    steps: {
      rules: 'A task comes to a ThreadPoolExecutor. Fewer threads than core: a new thread. Else it queues. The queue is full: a new thread, up to max. That is full too: the task is rejected. So a long queue means that max is never reached.',
      example: 'Ten tasks at once, core 2, max 4, a queue of 2. Where the caller runs what is rejected, all ten are done, and the caller can submit nothing meanwhile. With any other policy six are done: max and queue.',
      queue: 'With a queue of 10 nothing is rejected, and only the two core threads ever work.',
      nested: 'A service calls others: each task of apiExecutor submits a call to clientExecutor and waits for it. Its thread is taken, and idle meanwhile. The tables below the figures have three settings, before and after, in seconds and in per cent. With 20 core threads instead of 10 outside, more calls overlap: the document saw a fifth less one after the other, half less all at once, and answers after 400 ms instead of 600. The last setting only bounds what is inside.',
      burst: 'Now 150 tasks at once. They overflow every queue, so threads are started up to max, in any setting: core hardly matters. The inner maximum of 30 now holds up what 100 would not. A setting is right for a load, not in itself.',
      starved: 'An inner executor of two threads: the outer tasks all wait for it, whatever their number. The outer executor starves: all its threads are taken, and none does anything. See how long a task waits for a call of 80 ms.',
      forkJoin: 'A fork-join pool of 7 threads, then of 20: the document saw no difference for blocking calls. Something else limited them. Here it is the number of connections: with 20 of them, 20 threads are faster.',
    },
  },
};
