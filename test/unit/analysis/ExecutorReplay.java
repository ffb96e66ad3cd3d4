import java.util.*;
import java.util.concurrent.*;

/**
 * Replays sequences of tasks on the JVM's own ThreadPoolExecutor and prints what it decided.
 *
 * Input, one scenario a line: core max keepAlive queue policy unitMs ; submitAt duration ; submitAt duration ; ...
 * Output, one scenario a line: for each task outcome,thread,start  separated by blanks; start is -1 where it never ran.
 *
 * The clock is a made-up one: tasks end when the replay lets them, one event after the other, so that a loaded machine decides
 * as an idle one does. Only a scenario with a unit of more than 0 ms waits for real, for the sake of its keep-alive.
 */
public class ExecutorReplay {
  static final class Task implements Runnable {
    final int number;
    final double duration;
    final CountDownLatch mayEnd = new CountDownLatch(1);
    volatile String outcome = "";
    volatile Thread thread;
    volatile boolean started, ended;
    double start = -1, end = Double.POSITIVE_INFINITY;
    Task(int number, double duration) { this.number = number; this.duration = duration; }
    public void run() {
      thread = Thread.currentThread();
      started = true;
      try { mayEnd.await(); } catch (InterruptedException e) { throw new IllegalStateException(e); }
      ended = true;
    }
  }

  public static void main(String[] args) throws Exception {
    Scanner in = new Scanner(System.in);
    while (in.hasNextLine()) {
      String line = in.nextLine().trim();
      if (!line.isEmpty()) System.out.println(new ExecutorReplay(line).play());
    }
  }

  final ThreadPoolExecutor pool;
  final List<Task> tasks = new ArrayList<>();
  final List<Double> submitAt = new ArrayList<>();
  final List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
  final ExecutorService caller = Executors.newSingleThreadExecutor();
  final double unit;
  volatile Thread callerThread;

  ExecutorReplay(String line) throws Exception {
    String[] parts = line.split(";");
    String[] head = parts[0].trim().split(" +");
    int core = Integer.parseInt(head[0]), max = Integer.parseInt(head[1]), capacity = Integer.parseInt(head[3]);
    unit = Double.parseDouble(head[5]);
    long keepAliveMs = unit > 0 ? Math.round(Double.parseDouble(head[2]) * unit) : 3_600_000;
    BlockingQueue<Runnable> queue = capacity == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(capacity);
    pool = new ThreadPoolExecutor(core, max, keepAliveMs, TimeUnit.MILLISECONDS, queue, runnable -> {
      Thread thread = new Thread(runnable);
      thread.setDaemon(true);
      threads.add(thread);
      return thread;
    }, policy(head[4]));
    for (int i = 1; i < parts.length; i++) {
      String[] task = parts[i].trim().split(" +");
      submitAt.add(Double.parseDouble(task[0]));
      tasks.add(new Task(i - 1, Double.parseDouble(task[1])));
    }
    callerThread = caller.submit(Thread::currentThread).get();
  }

  RejectedExecutionHandler policy(String name) {
    switch (name) {
      case "callerRuns": return new ThreadPoolExecutor.CallerRunsPolicy();
      case "abort": return new ThreadPoolExecutor.AbortPolicy();
      case "discard": {
        RejectedExecutionHandler real = new ThreadPoolExecutor.DiscardPolicy();
        return (task, executor) -> { real.rejectedExecution(task, executor); ((Task) task).outcome = "discarded"; };
      }
      case "discardOldest": {
        RejectedExecutionHandler real = new ThreadPoolExecutor.DiscardOldestPolicy();
        return (task, executor) -> {
          Task oldest = (Task) executor.getQueue().peek();
          real.rejectedExecution(task, executor);
          if (oldest != null && !executor.getQueue().contains(oldest)) oldest.outcome = "discarded";
        };
      }
      default: throw new IllegalArgumentException(name);
    }
  }

  String play() throws Exception {
    long began = System.nanoTime();
    int next = 0;
    Future<?> submitting = null;
    double callerFreeAt = 0;
    for (;;) {
      Task ending = null;
      for (Task task : tasks) if (task.started && !task.ended && (ending == null || task.end < ending.end)) ending = task;
      boolean callerIsBusy = submitting != null && !submitting.isDone();
      double submission = next < tasks.size() && !callerIsBusy ? Math.max(submitAt.get(next), callerFreeAt) : Double.POSITIVE_INFINITY;
      double end = ending == null ? Double.POSITIVE_INFINITY : ending.end;
      double now = Math.min(submission, end);
      if (now == Double.POSITIVE_INFINITY) break;
      if (unit > 0) Thread.sleep(Math.max(0, Math.round(now * unit - (System.nanoTime() - began) / 1e6)));
      if (end <= now) {
        ending.mayEnd.countDown();
        if (ending.thread == callerThread) { submitting.get(); callerFreeAt = now; } else { await(ending); }
      } else {
        Task task = tasks.get(next++);
        submitting = caller.submit(() -> {
          try { pool.execute(task); } catch (RejectedExecutionException rejected) { task.outcome = "rejected"; }
        });
        awaitDecision(task, submitting);
      }
      for (Task task : tasks) if (task.started && task.start < 0) { task.start = now; task.end = now + task.duration; }
    }
    StringBuilder out = new StringBuilder();
    for (Task task : tasks) {
      String outcome = !task.started ? task.outcome : task.thread == callerThread ? "callerRan" : "ran";
      out.append(out.length() > 0 ? " " : "").append(outcome).append(',').append(threads.indexOf(task.thread) + 1).append(',').append(task.start);
    }
    pool.shutdownNow();
    caller.shutdownNow();
    return out.toString();
  }

  /** Until the thread of a task that was let go runs the next one, waits for one, or has ended. */
  void await(Task ended) throws Exception {
    while (!ended.ended) Thread.sleep(0, 100_000);
    Thread thread = ended.thread;
    for (;;) {
      for (Task task : tasks) if (task.thread == thread && task.started && !task.ended) return;
      Thread.State state = thread.getState();
      if (state == Thread.State.TERMINATED) return;
      if (pool.getQueue().isEmpty() && (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING) && isInQueue(thread)) return;
      Thread.sleep(0, 100_000);
    }
  }

  static boolean isInQueue(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) if (frame.getMethodName().equals("getTask")) return true;
    return false;
  }

  /** Until a submitted task runs, waits in the queue while all threads are busy, or has been turned away. */
  void awaitDecision(Task task, Future<?> submitting) throws Exception {
    for (;;) {
      if (task.started && (task.thread == callerThread || submitting.isDone())) return;
      if (submitting.isDone()) {
        if (!task.outcome.isEmpty()) return;
        if (pool.getQueue().contains(task) && busyThreads() == pool.getPoolSize()) return;
      }
      Thread.sleep(0, 100_000);
    }
  }

  int busyThreads() {
    int busy = 0;
    for (Task task : tasks) if (task.started && !task.ended && task.thread != callerThread) busy++;
    return busy;
  }
}
