// @style service class: tenants in waves of 3 (sync generator + Promise.all), every tenant task opens its own gate of 2 for its API calls
// @expect tenants: chunk tasks=7 conc=3 chunks=3 ok=7 error=0 peak=3
// @expect calls-*: pool groups=7 tasks=5 conc=2 ok=5 error=0 peak=2 parent=tenants/*
import gt from '../gt.cjs';
import { createGate, slices } from './lib-of-21-tenant-sync/gate.mjs';

const RESOURCES = ['contacts', 'deals', 'notes', 'tasks', 'files'];
const WAVE = 3;
const PER_TENANT = 2;

const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

/** Stands in for the remote CRM. */
class CrmClient {
  login(tenant) {
    return later(15, { token: `tok-${tenant.id}` });
  }

  async pull(session, resource, ms) {
    if (!session.token) throw new Error('not logged in');
    const rows = await later(ms, [resource + '-a', resource + '-b']);
    return rows.length;
  }
}

class TenantSync {
  constructor({ client, report }) {
    this.client = client;
    this.report = report;
    this.waves = gt.group({ name: 'tenants', kind: 'chunk', combinator: 'all', concurrency: WAVE, size: WAVE, declared: 7 });
  }

  async pullResource(calls, session, tenant, n) { // @task calls-*
    const t = calls.start(RESOURCES[n]);
    const count = await this.client.pull(session, RESOURCES[n], gt.ms(tenant.id * 10 + n, 20, 45));
    return t.ok(count);
  }

  async syncTenant(tenant) { // @task tenants
    const t = this.waves.start(tenant.id);
    const session = await this.client.login(tenant);
    const calls = gt.group({ name: `calls-${tenant.id}`, kind: 'pool', concurrency: PER_TENANT, declared: RESOURCES.length, parent: t });
    const gate = createGate(PER_TENANT);
    const counts = await Promise.all(RESOURCES.map((_, n) => gate(() => this.pullResource(calls, session, tenant, n)))); // @group calls-*
    calls.end();
    return t.ok({ tenant: tenant.id, rows: counts.reduce((a, b) => a + b, 0) });
  }

  async run(tenants) {
    for (const wave of slices(tenants, WAVE)) {
      const done = await Promise.all(wave.map((tenant) => this.syncTenant(tenant))); // @group tenants
      for (const line of done) this.report.set(line.tenant, line.rows);
    }
    this.waves.end();
    return this.report;
  }
}

const tenants = gt.range(7).map((i) => ({ id: i + 1, plan: i % 2 ? 'pro' : 'free' }));
const report = await new TenantSync({ client: new CrmClient(), report: new Map() }).run(tenants);
if (report.size !== tenants.length) process.exitCode = 1;
