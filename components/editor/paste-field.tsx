'use client';

import { type FormEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';

/** Takes a text to paste where the browser does not hand over its clipboard. */
export function PasteField() {
  const commands = useCommands();
  const actions = useActions();
  const read = useReadProject();
  const form = useId();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const close = () => actions.show({ pasteField: false });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (commands.paste(text)) {
      close();
      return;
    }
    // It is said at the field, and the text stays. Readers of the screen hear it with the field that gets the focus.
    flushSync(() => setFault(read().notice?.text));
    actions.notify(undefined);
    field.current?.focus();
  };
  return (
    <Dialog
      open
      width="md"
      onOpenChange={close}
      title="Paste"
      description="The browser does not let this page read the clipboard. Paste the text here."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" disabled={text.trim() === ''}>
            Add
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field
          label="Text"
          hint="Copied agents, a card that begins with ---, or MCP servers: JSON, a command line or an address."
          error={fault}
        >
          {(ids) => (
            <Textarea
              {...ids}
              ref={field}
              data-first-focus
              spellCheck={false}
              className="min-h-40 font-mono text-xs"
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value);
                setFault(undefined);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
