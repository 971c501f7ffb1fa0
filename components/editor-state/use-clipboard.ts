import { useCallback } from 'react';
import { useActions } from './project-context';
import { useCommands } from './use-commands';

/** Returns a function with which a menu copies the selection. */
export function useCopy() {
  const commands = useCommands();
  const actions = useActions();
  return async () => {
    const copied = commands.copy();
    if (copied === undefined) return;
    try {
      await navigator.clipboard.writeText(copied);
      actions.notify({ tone: 'info', text: 'Copied. Paste it here or in another project.' });
    } catch {
      actions.notify({
        tone: 'bad',
        text: 'The browser does not let this page write to the clipboard. With a keyboard, Ctrl+C on the canvas copies.',
      });
    }
  };
}

/** Returns what pastes the text of the clipboard as its keys do. If the browser does not hand it over, a field takes the text. */
export function usePaste() {
  const commands = useCommands();
  const actions = useActions();
  return useCallback(async () => {
    let text: string;
    try {
      text = await navigator.clipboard.readText();
    } catch {
      actions.show({ pasteField: true });
      return;
    }
    if (text.trim() === '') actions.notify({ tone: 'info', text: 'The clipboard has no text.' });
    else commands.paste(text);
  }, [commands, actions]);
}
