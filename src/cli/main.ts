/** The command line: which commands there are, and what their ends mean for the exit status. */
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { Refusal } from '../session/refusal';
import { run, withRunOptions, type RunOptions } from './run';
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
  withRunOptions(program.command('run <script> [args...]'))
    .description('run a script (or any command, with --exec) and record what it does at the same time')
    .option('--exec', 'take what follows as a command, and record every Node process it starts')
    .passThroughOptions()
    .action(async (script: string, args: string[], options: RunOptions) => { process.exitCode = await run(DIST, script, args, options); });
  return program;
}

const oneLine = (text: string): string => text.replace(/^error: /, '').trim().replace(/\s*\n\s*/g, ' ');

async function main(): Promise<void> {
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
