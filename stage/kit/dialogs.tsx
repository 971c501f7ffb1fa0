'use client';

import { Copy, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { KeyHelp } from '@/components/ui/key-help';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { showToast } from '@/components/ui/toast';
import { Row } from './section';

const widths = ['sm', 'md', 'lg'] as const;
const tones = ['info', 'ok', 'bad'] as const;
const keys = [{ title: 'Canvas', keys: [['Mod+C', 'Copy'] as const, ['Delete', 'Delete the selection'] as const] }];

/** Shows one button for each thing that opens over the page. */
export function Dialogs() {
  const [open, setOpen] = useState<string>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Row name="Dialog">
        {widths.map((width) => (
          <Button key={width} onClick={() => setOpen(width)}>
            Dialog, {width}
          </Button>
        ))}
        <Button onClick={() => setOpen('confirm')}>Question</Button>
        <Button onClick={() => setOpen('keys')}>Keys</Button>
      </Row>
      <Menus />
      {widths.map((width) => (
        <Dialog
          key={width}
          width={width}
          open={open === width}
          onOpenChange={close}
          title="New file"
          description="One sentence that says what this is for."
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button variant="primary" onClick={close}>
                Create
              </Button>
            </>
          }
        >
          <Field label="Path" hint="Folders with slashes: tools/clock.py">
            {(ids) => <Input {...ids} placeholder="agent-cards/writer.md" />}
          </Field>
        </Dialog>
      ))}
      <ConfirmDialog
        open={open === 'confirm'}
        onOpenChange={close}
        title="Delete 'Project office'?"
        confirm="Delete project"
        onConfirm={close}
      >
        Its files and its runs are deleted. This cannot be undone.
      </ConfirmDialog>
      <KeyHelp groups={keys} open={open === 'keys'} onOpenChange={close} />
    </>
  );
}

function Menus() {
  const [theme, setTheme] = useState<'light' | 'dark'>('light');
  return (
    <>
      <Row name="Menu">
        <Menu trigger={<Button>Menu</Button>}>
          <MenuItem icon={<Copy aria-hidden />} keys="Mod+D">
            Duplicate
          </MenuItem>
          <MenuItem disabled>Not now</MenuItem>
          <MenuSeparator />
          <MenuChoices
            label="Theme"
            value={theme}
            onChange={setTheme}
            choices={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <MenuSeparator />
          <MenuItem danger icon={<Trash2 aria-hidden />}>
            Delete
          </MenuItem>
        </Menu>
      </Row>
      <Row name="Notification">
        {tones.map((tone) => (
          <Button key={tone} onClick={() => showToast({ tone, text: `A notification of the tone ${tone}.` })}>
            {tone}
          </Button>
        ))}
        <Button onClick={() => showToast({ text: 'Deleted.', action: { label: 'Undo', onClick: () => undefined } })}>
          With a button
        </Button>
      </Row>
    </>
  );
}
