import type { Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars } from '@codemirror/view';
import { hiddenCharacter, hiddenPattern, type TextUse } from '@/lib/base/visible-text';

/** Marks characters that nobody sees with their code. */
export function hiddenCharacters(use: TextUse): Extension {
  return [
    highlightSpecialChars({
      specialChars: hiddenPattern(use),
      render: (point) => {
        const { code, name, kind } = hiddenCharacter(String.fromCodePoint(point));
        const mark = document.createElement('span');
        mark.textContent = code;
        mark.title = name;
        mark.setAttribute('aria-label', `${code} ${name}`);
        mark.className = kind === 'line end' ? 'cm-hidden cm-hiddenLineEnd' : 'cm-hidden';
        return mark;
      },
    }),
    look,
  ];
}

const look = EditorView.baseTheme({
  '.cm-hidden': {
    unicodeBidi: 'isolate',
    margin: '0 1px',
    padding: '0 2px',
    borderRadius: '2px',
    backgroundColor: 'var(--warn-soft)',
    color: 'var(--warn) !important',
    outline: '1px solid color-mix(in srgb, var(--warn) 50%, transparent)',
    outlineOffset: '-1px',
    fontSize: '0.85em',
    fontStyle: 'normal',
  },
});

/** Code behind an unusual line end is shown below it, where the text still has it in one line. */
export const breaksAtLineEnds: Extension = EditorView.baseTheme({
  '.cm-hiddenLineEnd::after': { content: '"\\a"', whiteSpace: 'pre' },
});
