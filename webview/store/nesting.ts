/** Which groups ran inside a task of another group. */
import type { Group } from '../../src/model/timeline';

export class Nesting {
  /** Groups that ran inside no task of a group that is known, in the order given. */
  readonly roots: readonly Group[];
  private readonly byTask = new Map<number, Group[]>();
  private readonly byGroup = new Map<number, Group[]>();
  private readonly byId: ReadonlyMap<number, Group>;

  /** @param groups in the order they are to stand */
  constructor(groups: readonly Group[]) {
    this.byId = new Map(groups.map((group) => [group.id, group]));
    this.roots = groups.filter((group) => !this.parentOf(group));
    for (const group of groups) {
      const { parent } = group;
      if (!parent || !this.parentOf(group)) continue;
      add(this.byTask, parent.task, group);
      add(this.byGroup, parent.group, group);
    }
  }

  parentOf({ id, parent }: Group): Group | undefined { return parent && parent.group !== id ? this.byId.get(parent.group) : undefined; }
  /** Groups that ran inside a task. @param task its id */
  inTask(task: number): readonly Group[] { return this.byTask.get(task) ?? []; }
  /** Groups that ran inside any task of a group. */
  inGroup(group: number): readonly Group[] { return this.byGroup.get(group) ?? []; }

  /** The group itself and those it stands in, from the inside out. Rings, which only a broken recording holds, end where they close. */
  chainOf(id: number): readonly number[] {
    const chain: number[] = [];
    for (let group = this.byId.get(id); group && !chain.includes(group.id) && chain.length < MOST_DEEP; group = this.parentOf(group)) chain.push(group.id);
    return chain;
  }

  /** Roots and, below the group each ran in, those inside it that are open; with how deep each stands. */
  unfolded(isOpen: (group: number) => boolean): { readonly group: Group; readonly depth: number }[] {
    const rows: { group: Group; depth: number }[] = [];
    const seen = new Set<number>();
    const walk = (groups: readonly Group[], depth: number): void => {
      for (const group of groups) {
        if (seen.has(group.id) || (depth > 0 && !isOpen(group.id)) || depth > MOST_DEEP) continue;
        seen.add(group.id);
        rows.push({ group, depth });
        walk(this.inGroup(group.id), depth + 1);
      }
    };
    walk(this.roots, 0);
    return rows;
  }
}

const MOST_DEEP = 30;

function add(map: Map<number, Group[]>, key: number, group: Group): void {
  const list = map.get(key);
  if (list) list.push(group); else map.set(key, [group]);
}
