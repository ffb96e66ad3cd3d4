/**
 * Sections that one function holds several of at once: `await semaphore.acquire(); void send(item).finally(() => semaphore.release())`. What it
 * calls once each turn has come, and leaves running, is the task.
 */
import type { LibraryTask } from './library-task';
import type { LibraryTasks } from './library-tasks';
import { isUserCall, type PromiseNode } from '../promises/promise-node';
import { chainHeadOf, headOf } from '../promises/chain-links';

export class SectionCalls {
  /** By the function that asked: its latest section. */
  private readonly latest = new WeakMap<PromiseNode, LibraryTask>();
  private readonly starters = new WeakSet<PromiseNode>();
  /** By what was called in it. */
  private readonly byCall = new WeakMap<PromiseNode, LibraryTask>();

  /** @param claim a call is a task's work: no other group may be made of it @param tasks those that are not over, by what is drawn of them */
  constructor(private readonly claim: (call: PromiseNode) => void, private readonly tasks: Pick<LibraryTasks, 'of'>) {}

  /** A function asks for a section. @returns the one before, where that is first known not to be over yet: it is held by what was called in it */
  ask(owner: PromiseNode, section: LibraryTask): LibraryTask | undefined {
    const before = this.latest.get(owner);
    this.latest.set(owner, section);
    if (!before?.started || !Number.isNaN(before.draft.end) || !before.called || this.starters.has(owner)) return undefined;
    this.starters.add(owner);
    this.claim(before.called);
    return before;
  }

  /**
   * A section of a group is given back by a function that holds several, of which the adapter takes the oldest.
   * @param behind in whose reaction that is done
   * @returns the one whose call ended there
   */
  givenBack(section: LibraryTask, behind: PromiseNode | undefined): LibraryTask {
    const meant = behind && this.byCall.get(headOf(behind));
    return meant?.group === section.group && Number.isNaN(meant.draft.end) ? meant : section;
  }

  /** A promise is made. @returns the section that its call is what was done in, where it is the first */
  called(node: PromiseNode): LibraryTask | undefined {
    if (!isUserCall(node) || node.combinator) return undefined;
    // `slots.acquire().then(() => load(id).finally(() => slots.release()))`
    const turn = chainHeadOf(node);
    const behind = turn?.isTurn && turn.libraryTask ? this.tasks.of(turn.libraryTask) : undefined;
    const section = behind ?? (node.isAsyncFunction && node.owner ? this.latest.get(node.owner) : undefined);
    if (!section?.started || section.called || !Number.isNaN(section.draft.end)) return undefined;
    section.called = node;
    this.byCall.set(node, section);
    node.isClaimed ||= behind !== undefined;
    if (node.owner && this.starters.has(node.owner)) this.claim(node);
    return section;
  }
}
