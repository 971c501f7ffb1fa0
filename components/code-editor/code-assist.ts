import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { type Diagnostic, forEachDiagnostic } from '@codemirror/lint';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import type { CodeCompletions } from '@/lib/editor/code-completion';
import type { CodeHelp } from '@/lib/editor/code-help';

/** What the editor asks about its text. Each is a pure question that is asked only when the answer is shown. */
export interface CodeAssist {
  completions(text: string, offset: number): CodeCompletions | undefined;
  help(text: string, offset: number): CodeHelp | undefined;
  /** Opens the definition of the thing at an offset. Returns false if nothing is known about it. */
  openDefinition(text: string, offset: number): boolean;
}

/** A change that corrects a problem, with its words. */
export interface OfferedFix {
  readonly label: string;
  apply(): void;
}

/** A problem in the text whose fixes are worked out when they are shown. */
export interface FixableDiagnostic extends Diagnostic {
  readonly fixes: () => readonly OfferedFix[];
}

/** While typing, completions open after a pause of this length, so that a key never waits for them. */
const completionDelayMs = 180;

/** Completion (Mod+Space), help on hover, definitions (F12, Mod+click) and fixes (Alt+Enter) for the code editor. */
export function codeAssist(assist: CodeAssist): Extension {
  /** The next completion lists the fixes of the line instead of names. */
  let wantsFixes = false;

  function complete({ state, pos }: CompletionContext): CompletionResult | null {
    if (wantsFixes) {
      wantsFixes = false;
      return fixesOn(state, pos);
    }
    const found = assist.completions(state.doc.toString(), pos);
    if (found === undefined) return null;
    return {
      from: found.from,
      to: found.to,
      options: found.options.map(({ label, kind, detail, text, insert }) => ({
        label,
        type: kind,
        detail,
        apply: insert,
        ...(text !== '' && { info: text }),
      })),
      validFor: /^[\w./$:-]*$/,
    };
  }

  const open = (view: EditorView, offset: number) => assist.openDefinition(view.state.doc.toString(), offset);

  return [
    autocompletion({
      override: [complete],
      activateOnTypingDelay: completionDelayMs,
      icons: false,
      defaultKeymap: false,
      maxRenderedOptions: 60,
    }),
    Prec.highest(
      keymap.of([
        ...completionKeymap,
        { key: 'Tab', run: acceptCompletion },
        { key: 'F12', run: (view) => open(view, view.state.selection.main.head), preventDefault: true },
        {
          key: 'Alt-Enter',
          run: (view) => {
            wantsFixes = true;
            return startCompletion(view);
          },
          preventDefault: true,
        },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!(event.metaKey || event.ctrlKey) || event.button !== 0) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset === null || !open(view, offset)) return false;
        event.preventDefault();
        return true;
      },
    }),
    hoverTooltip((view, offset) => {
      const help = assist.help(view.state.doc.toString(), offset);
      return help === undefined
        ? null
        : { pos: help.from, end: help.to, above: true, create: () => ({ dom: helpBox(help) }) };
    }),
  ];
}

/** Lists the fixes of the problems on the line of an offset. */
function fixesOn(state: EditorView['state'], offset: number): CompletionResult | null {
  const line = state.doc.lineAt(offset);
  const options: Completion[] = [];
  forEachDiagnostic(state, (diagnostic, from) => {
    if (from < line.from || from > line.to || !isFixable(diagnostic)) return;
    for (const fix of diagnostic.fixes()) {
      options.push({ label: fix.label, detail: 'fix', type: 'fix', apply: () => fix.apply() });
    }
  });
  return options.length === 0 ? null : { from: offset, options, filter: false };
}

function isFixable(diagnostic: Diagnostic): diagnostic is FixableDiagnostic {
  return 'fixes' in diagnostic;
}

/** Shows the word of the severity, the message, and a button for each fix. */
export function problemBox(word: string, message: string, fixes: readonly OfferedFix[]): HTMLElement {
  const box = document.createElement('div');
  const severity = document.createElement('span');
  severity.className = 'cm-severity';
  severity.textContent = `${word}: `;
  box.append(severity, message);
  if (fixes.length === 0) return box;
  const row = document.createElement('div');
  row.className = 'cm-fixes';
  for (const fix of fixes) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = fix.label;
    button.addEventListener('click', () => fix.apply());
    row.append(button);
  }
  box.append(row);
  return box;
}

function helpBox({ title, text, options }: CodeHelp): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-help';
  const head = document.createElement('div');
  head.className = 'cm-help-title';
  head.textContent = title;
  box.append(head);
  for (const line of [text, ...(options.length === 0 ? [] : [options.join(' | ')])]) {
    const row = document.createElement('div');
    row.textContent = line;
    box.append(row);
  }
  return box;
}
