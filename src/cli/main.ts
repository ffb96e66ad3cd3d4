/** The command line: which commands there are, and what their ends mean for the exit status. */
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { EXPORTERS } from '../formats/exporters';
import { Refusal } from '../session/refusal';
import { listDemos, runDemo } from './demos';
import { printEnvironment } from './env';
import { exportTrace, reportTrace, viewTrace, withLogOptions, type LogOptions } from './recorded';
import { runCommand, runScript, withRunOptions, type RunOptions } from './run';
import { say } from './say';

/** A wrong call, a missing file, an unreadable trace. */
const WRONG_CALL = 2;
/** The bundles lie side by side. */
const DIST = __dirname;

function buildProgram(): Command {
  const program = new Command('async-lanes')
    .description('Shows how the promises of a Node script share their slots.')
    .version(version)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text) => { say(oneLine(text)); } })
    .argument('[command]')
    .action((name: string | undefined) => {
      throw new Refusal('wrong-call', `${name === undefined ? 'Name a command' : `There is no command "${name}"`}; async-lanes --help lists them.`);
    });
  addRun(program);
  addRecorded(program);
  return program;
}

function addRun(program: Command): void {
  withRunOptions(program.command('run <script> [args...]'))
    .description('run a script (or any command, with --exec) and record what it does at the same time')
    .option('--exec', 'take what follows as a command, and record every Node process it starts')
    .passThroughOptions()
    .action(async (script: string, args: string[], { exec, ...options }: RunOptions & { exec?: boolean }) => {
      process.exitCode = await (exec ? runCommand : runScript)(DIST, script, args, options);
    });
  withRunOptions(program.command('demo [name] [parameters...]'))
    .description('run a teaching demo; without a name, list them; with a name and --help, its parameters')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (name: string | undefined, words: string[], options: RunOptions) => {
      if (name === undefined || name === '--help' || name === '-h') listDemos(DIST);
      else process.exitCode = await runDemo(DIST, name, words, options);
    });
}

function addRecorded(program: Command): void {
  withLogOptions(program.command('report <trace>')).description('print the JSON report of a recorded run, or of a log').action(reportTrace);
  withLogOptions(program.command('open <trace>')).description('show a recorded run, or a log, in the browser')
    .action((trace: string, options: LogOptions) => viewTrace(DIST, trace, options));
  withLogOptions(program.command('export <trace>')).description('write a recorded run, or a log, in another format')
    .requiredOption('--to <format>', EXPORTERS.map(({ name, about }) => `${name}: ${about}`).join('; '))
    .requiredOption('--out <file>', 'the file to write')
    .action(exportTrace);
  program.command('env').description('print the environment under which any Node process records into a folder')
    .option('--trace <dir>', 'the folder; without it a new one')
    .option('--json', 'as a JSON object rather than as export lines')
    .action((options: { trace?: string; json?: boolean }) => { printEnvironment(DIST, options); });
}

const oneLine = (text: string): string => text.replace(/^error: /, '').trim().replace(/\s*\n\s*/g, ' ');

async function main(): Promise<void> {
  // A terminal that has gone takes our words with it, but not the script's status, nor what is still to be written.
  process.stderr.on('error', () => undefined);
  try {
    await buildProgram().parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : WRONG_CALL;
      return;
    }
    say(error instanceof Refusal ? error.message : `this should not have happened: ${error instanceof Error ? error.stack ?? error.message : String(error)}`);
    process.exitCode = WRONG_CALL;
  }
}

void main();
