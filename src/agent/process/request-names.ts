/**
 * What requests are for: method, host and path of what `http`, `https`, `fetch` and undici send, as Node itself announces it.
 * Never a query, credentials, headers or a body: those may be secrets, and every one of them another.
 */
import diagnostics from 'node:diagnostics_channel';
import { Fact } from '../../model/facts';
import type { CallStacks } from '../stacks/call-stacks';
import type { FactWriter } from '../fact-writer';
import { hiddenObject } from '../hidden';
import type { Guard } from '../hooks';
import type { Observer } from '../promises/observer';

const MAX_LETTERS = 160;
/** Different ones that are told. */
const MAX_NAMES = 1 << 14;

export class RequestNames {
  private readonly told = new Map<string, number>();

  constructor(private readonly writer: FactWriter, private readonly observer: Observer, private readonly stacks: CallStacks, private readonly guard: Guard) {}

  watch(): void {
    diagnostics.subscribe('http.client.request.created', (message) => { this.heard(() => nameOfHttp((message as Announced).request)); });
    diagnostics.subscribe('undici:request:create', (message) => { this.heard(() => nameOfUndici((message as Announced).request)); });
  }

  /** Some code that runs sends a request: the promise that it made for it just before, else the function that runs. */
  private heard(name: () => string): void {
    if (this.guard.busy) return;
    try {
      const promise = this.observer.latestRoot || this.observer.running;
      const text = promise === 0 ? 0 : this.idOf(name());
      if (text === 0) return;
      this.observer.tell(promise);
      this.writer.record(Fact.request, 0, promise, text, 0, 0, 0, 0);
    } catch { this.guard.failures++; }
  }

  private idOf(name: string): number {
    if (name === '') return 0;
    let id = this.told.get(name);
    if (id === undefined && this.told.size < MAX_NAMES) this.told.set(name, (id = this.stacks.stringOf(name)));
    return id ?? 0;
  }
}

interface Announced { readonly request: Readonly<Record<string, unknown>> }

function nameOfHttp(request: Announced['request']): string {
  const { method, host, path } = request;
  // As `getHeader` would find it, without a call that a program could see.
  const headers = hiddenObject(request, 'kOutHeaders') as Readonly<Record<string, unknown>> | undefined;
  const given = headers?.host;
  return nameOf(method, textOf(Array.isArray(given) ? given[1] : undefined) || textOf(host), path);
}

const nameOfUndici = ({ method, origin, path }: Announced['request']): string => nameOf(method, (origin instanceof URL ? origin.host : textOf(origin)).replace(/^\w+:\/\//, ''), path);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** @param path may hold a query, and what a server is told by `;` */
function nameOf(method: unknown, host: string, path: unknown): string {
  const [plain] = textOf(path).split(/[?#;]/, 1);
  return `${textOf(method)} ${host.slice(host.lastIndexOf('@') + 1)}${plain.replace(/^\w+:\/\/[^/]*/, '')}`.slice(0, MAX_LETTERS);
}
