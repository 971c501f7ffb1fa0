'use client';

import { Server, Settings } from 'lucide-react';
import { type ComponentProps, useDeferredValue, useMemo, useState } from 'react';
import { useProject, useProjectAs } from '@/components/editor-state/project-context';
import { useKeyPlaces } from '@/components/keys/key-context';
import { useKeyRows } from '@/components/keys/use-key-rows';
import { later } from '@/components/ui/later';
import { PickOne } from '@/components/ui/picker';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { modelChoices } from '@/lib/editor/model-choices';
import { modelEnvOf } from '@/lib/editor/picture';

const OwnAddressDialog = later(async () => (await import('./own-address-dialog')).OwnAddressDialog, null);

type PickerProps = ComponentProps<typeof PickOne>;

/** Chooses a model of the providers that can be called here, or any other by its name. */
export function ModelPicker(
  props: Pick<
    PickerProps,
    'id' | 'label' | 'value' | 'onChange' | 'none' | 'size' | 'aria-describedby' | 'aria-invalid'
  >,
) {
  const { options, onChange, dialog } = useKeyRows(useModelOptions(), props.onChange);
  const [hasOwn, setOwn] = useState(false);
  const mayEdit = useProject((state) => state.mayEdit);
  // A key of the project may belong to the address.
  const sets = useKeyPlaces()?.project !== undefined && mayEdit;
  return (
    <>
      <PickOne
        {...props}
        onChange={onChange}
        freeText
        searchPlaceholder="Search, or type a model"
        options={options}
        actions={[
          ...(sets
            ? [
                {
                  label: () => 'Address of your own…',
                  icon: <Server aria-hidden />,
                  movesFocus: true,
                  onSelect: () => setOwn(true),
                },
              ]
            : []),
          {
            label: () => 'Keys of providers',
            icon: <Settings aria-hidden />,
            movesFocus: true,
            onSelect: () => window.open('/settings', '_blank', 'noopener'),
          },
        ]}
      />
      {dialog}
      {hasOwn && <OwnAddressDialog onClose={() => setOwn(false)} />}
    </>
  );
}

/** The list follows a key after the text and the canvas, because it is made of every card. */
function useModelOptions() {
  const { parsed, folder } = useDeferredValue(
    useProjectAs(({ picture, document }) => ({ parsed: picture.drawn, folder: document.folder }), sameModels),
  );
  const installation = useProject((state) => state.installation);
  return useMemo(() => {
    const { config } = withSecrets(parsed, folder);
    return modelChoices(parsed, config.providers, modelEnvOf(installation));
  }, [parsed, folder, installation]);
}

interface ModelSource {
  readonly parsed: ParsedFolder;
  readonly folder: Folder;
}

/** True if the cards name the same models, and configuration, settings and secrets are the same. */
function sameModels({ parsed: a, folder: before }: ModelSource, { parsed: b, folder: now }: ModelSource): boolean {
  if (a.config !== b.config || a.settings !== b.settings || a.cards.length !== b.cards.length) return false;
  const modelOf = (card: Card | undefined) => (card !== undefined && 'model' in card ? card.model : undefined);
  if (!a.cards.every((card, at) => card === b.cards[at] || modelOf(card) === modelOf(b.cards[at]))) return false;
  if (a.roles.size !== b.roles.size) return false;
  for (const [path, role] of b.roles) {
    if (a.roles.get(path) !== role) return false;
    if (role === 'secrets' && before.get(path) !== now.get(path)) return false;
  }
  return true;
}
