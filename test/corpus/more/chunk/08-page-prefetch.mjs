// @style cursor pagination by an async generator that asks for page N+1 before it yields page N; the items of every page under one Promise.all
// @expect contacts: chunk tasks=18 conc=5 chunks=4 ok=18 error=0 peak=5
import { setTimeout as sleep } from 'node:timers/promises';
import gt from '../gt.cjs';

const PER_PAGE = 5;
const TOTAL = 18;

class CrmClient {
  #calls = 0;
  #token = null;
  async #auth() {
    if (this.#token) return this.#token;
    await sleep(5);
    return (this.#token = { value: 'tkn', expires: Date.now() + 60_000 });
  }
  async listContacts({ cursor = 0, limit = PER_PAGE } = {}) {
    await this.#auth();
    this.#calls++;
    await sleep(12);
    const ids = gt.range(TOTAL).slice(cursor, cursor + limit);
    const next = cursor + limit;
    return { items: ids.map((id) => ({ id, email: `c${id}@example.test` })), next: next < TOTAL ? next : null };
  }
  async enrich(contact) {
    await sleep(gt.ms(contact.id, 25, 70));
    return { ...contact, company: `Company ${contact.id % 4}` };
  }
  get calls() { return this.#calls; }
}

async function* contactPages(client) {
  let upcoming = client.listContacts();
  while (upcoming) {
    const page = await upcoming;
    upcoming = page.next === null ? null : client.listContacts({ cursor: page.next });
    upcoming?.catch(() => {}); // handled when it is awaited
    yield page.items;
  }
}

const client = new CrmClient();
const g = gt.group({ name: 'contacts', kind: 'chunk', combinator: 'all', concurrency: PER_PAGE, size: PER_PAGE, declared: TOTAL });
const byCompany = new Map();

async function enrichContact(contact) { // @task contacts
  const t = g.start(contact.id);
  const full = await client.enrich(contact);
  byCompany.set(full.company, [...(byCompany.get(full.company) ?? []), full.id]);
  return t.ok(full);
}

let seen = 0;
for await (const items of contactPages(client)) {
  const done = await Promise.all(items.map(enrichContact)); // @group contacts
  seen += done.length;
}
g.end();
if (seen !== TOTAL || client.calls !== 4) throw new Error(`saw ${seen} in ${client.calls} calls`);
