import { AppError } from '@/lib/base/app-error';
import { endWithOutput } from './closed-output';
import { faultOf, isSystemError } from './fault-of';
import { printNote } from './print';

const usage = `callboard — draw agent graphs, run them, see where the time went

  callboard start [--only web|worker]    open the app (settings: see .env.example), or start one part of it (docs/deploy.md)
  callboard check PATH… [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--load] [--json]
                                         check card folders or single cards
  callboard run FOLDER --message TEXT    run a folder here, without the app or a database
        [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust] [--approve all|none|ask]
        [--strict] [--json [--deltas]] [--user ID] [--tag NAME]… [--metadata NAME=VALUE]…
  callboard call FOLDER --state FILE [--message TEXT] [--submit FILE] [--agent NAME] [--model M] [--python[=PATH]]
        [--env NAME]… [--trust]          begin a run, or go on with it, and decide what its agents ask
  callboard chat FOLDER [--conversation ID] [--agent NAME] [--model M] [--python[=PATH]] [--env NAME]… [--trust]
        [--approve all|none|ask]         talk with a folder here; each line is a message, Ctrl-D ends
  callboard chat FOLDER --list           list the conversations with a folder
  callboard test FOLDER [--name NAME]… [--live] [--update] [--json] [--junit FILE] [--model M] [--python[=PATH]] [--env NAME]…
        [--trust]                        run the tests of a folder against what was recorded, or live
  callboard import FOLDER|FILE.zip --report [--json]
                                         say what becomes of each file and field of a folder, before a project is made of it
  callboard export FOLDER [--for fast-agent|vscode] [--out DIR|FILE.zip] [--json]
                                         copy a folder, as it is, or as fast-agent or VS Code loads it
  callboard diff BEFORE AFTER [--json] [--fail-on more|any]
                                         say what one folder can do that another could not, and what else is different
  callboard trust FOLDER [--json]        show what a run of a folder would start or call
  callboard mcp [--skill]                an MCP server on stdin and stdout for coding agents, or the skill that explains it
  callboard pending [--run ID] [--project ID] [--json] [--watch]
                                         list what runs of the app ask people
  callboard answer ID approve|deny|edit|answer [--note TEXT] [--args FILE] [--text TEXT] [--remember run|session|agent|project]
                                         answer such a question
  callboard revisions PROJECT [--json]   list the revisions of a project of the app
  callboard publish PROJECT [--draft NAME | --revision N] [--label NAME] [--note TEXT] [--override REASON]
                                         make a draft or a revision live, or give it another label
  callboard rollback PROJECT [--to N] [--label NAME] [--note TEXT]
                                         make the revision live that was live before
  callboard backup FILE|-                write the whole database to a file, or to stdout
  callboard restore FILE [--replace]     fill the database with a backup; the app must not run
  callboard doctor [--json]              check this machine, the settings and the app that runs here
  callboard audit [--check] [FILE]       print the audit log of the app, or check it or an exported file
  callboard people [--reset-link EMAIL | --reset-second-factor EMAIL] [--json]
                                         list who has an account; let in somebody who has lost the password or the second factor
  callboard secret-key --new             make a new key for secrets; the next start uses it
  callboard login [URL] [--scopes read,run,answer] [--token]
                                         sign in at an app with accounts: a person allows it in a browser; --token reads a token from stdin
  callboard logout [URL]                 revoke that token and forget it
  callboard token [--new]                print the token that scripts send to the app

In place of a folder, check, run, call, chat and trust take the https address of one card.
Exit codes: 0 fine · 1 errors found, or the run failed · 2 could not do it at all
`;

/** Runs one command as the whole process. Resolves with the exit code, unless nobody reads the output any more. */
export async function mainOfProcess(args: readonly string[]): Promise<number> {
  // These serve others until they are stopped.
  if (!['start', 'dev', 'mcp'].includes(args[0] ?? '')) endWithOutput();
  return await main(args);
}

/** Runs one command. Resolves with the exit code. An expected failure is a sentence on stderr; a bug rejects. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(args);
  } catch (error) {
    if (!isExpected(error)) throw error;
    printNote(`${faultOf(error)}\n`);
    return 2;
  }
}

/** Commands throw plain errors with sentences. A TypeError and its like are bugs. */
function isExpected(error: unknown): boolean {
  if (error instanceof AppError || isSystemError(error)) return true;
  return error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
}

async function runCommand(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (isHelp(rest) ? 'help' : command) {
    case 'start': {
      const { startCallboard } = await import('@/lib/server/launcher');
      return startCallboard('built', rest);
    }
    // This command is for developers of Callboard; CONTRIBUTING.md describes it.
    case 'dev': {
      const { startCallboard } = await import('@/lib/server/launcher');
      return startCallboard('sources');
    }
    // Each command loads only the modules it needs, so that `check` starts quickly.
    case 'check':
      return (await import('./check')).check(rest);
    case 'run':
      return (await import('./run')).run(rest);
    case 'call':
      return (await import('./call')).call(rest);
    case 'chat':
      return (await import('./chat')).chat(rest);
    case 'test':
      return (await import('./test-folder')).testFolder(rest);
    case 'import':
      return (await import('./import-report')).importReport(rest);
    case 'export':
      return (await import('./export')).exportFolder(rest);
    case 'diff':
      return (await import('./diff')).diff(rest);
    case 'trust':
      return (await import('./trust')).trust(rest);
    case 'revisions':
      return (await import('./revisions')).revisions(rest);
    case 'publish':
      return (await import('./revisions')).publish(rest);
    case 'rollback':
      return (await import('./revisions')).rollback(rest);
    case 'mcp':
      return (await import('./mcp')).mcp(rest);
    case 'pending':
      return (await import('./pending')).pending(rest);
    case 'answer':
      return (await import('./answer')).answer(rest);
    case 'backup':
      return (await import('./backup')).backup(rest);
    case 'restore':
      return (await import('./restore')).restore(rest);
    case 'doctor':
      return (await import('./doctor')).doctor(rest);
    case 'audit':
      return (await import('./audit')).audit(rest);
    case 'people':
      return (await import('./people')).people(rest);
    case 'secret-key':
      return (await import('./secret-key')).secretKey(rest);
    case 'login':
      return (await import('./login')).login(rest);
    case 'logout':
      return (await import('./logout')).logout(rest);
    case 'token':
      return (await import('./token')).token(rest);
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(usage);
      return 0;
    default:
      printNote(command === undefined ? usage : `Unknown command '${command}'.\n\n${usage}`);
      return 2;
  }
}

function isHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}
