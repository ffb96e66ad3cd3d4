/** `report`, `open` and `export`: what is done with a trace afterwards. */
import { EXPORTERS } from '../formats/exporters';
import { reportPieces } from '../formats/report';
import { RecordedRun } from '../session/recorded-run';
import { Refusal } from '../session/refusal';
import { loadPage } from '../viewer/page';
import { holdInterrupts } from './interrupts';
import { checkWritable, printPieces, writePieces } from './output-file';
import { say } from './say';
import { keepShowing, show } from './show';

export async function reportTrace(trace: string): Promise<void> {
  await printPieces(reportPieces(await openTold(trace)));
}

/** @param dist absolute path of the folder the bundles lie in */
export async function viewTrace(dist: string, trace: string): Promise<void> {
  const page = loadPage(dist);
  const run = await openTold(trace);
  const interrupts = holdInterrupts();
  await keepShowing(await show(run, page, {}), interrupts);
  interrupts.release();
}

export async function exportTrace(trace: string, { to, out }: { readonly to: string; readonly out: string }): Promise<void> {
  const exporter = EXPORTERS.find(({ name }) => name === to);
  if (!exporter) throw new Refusal('no-format', `There is no format "${to}"; there is ${EXPORTERS.map(({ name }) => name).join(', ')}.`);
  checkWritable(out);
  await writePieces(out, exporter.pieces(await openTold(trace)));
}

/** Opens a trace and says what is wrong with it, where something is. */
async function openTold(trace: string): Promise<RecordedRun> {
  const run = await RecordedRun.open(trace);
  for (const notice of run.state().notices) if (notice.severity === 'error') say(notice.text);
  return run;
}
