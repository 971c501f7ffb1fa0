'use client';

import { ArrowLeft, Columns2, PanelRight, Square } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useActions } from '@/components/editor-state/project-context';
import { IconButton } from '@/components/ui/icon-button';
import { FileEditor } from './later-file-editor';

export interface WideEditorProps {
  /** Beside the canvas, or over it. Absent where there is no room for both. */
  readonly split?: boolean;
  readonly onSplit?: (split: boolean) => void;
}

/** Shows the open file beside or over the canvas. On a phone it covers everything. */
export function WideEditor({ split, onSplit }: WideEditorProps) {
  const actions = useActions();
  const frame = useRef<HTMLElement>(null);
  // Until the text is loaded, keys must reach neither the canvas nor the button that opened it.
  useEffect(() => {
    if (!frame.current?.contains(document.activeElement)) frame.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section
      ref={frame}
      tabIndex={-1}
      aria-label="Text editor"
      data-region="text"
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface outline-none"
    >
      <FileEditor
        before={
          <IconButton
            size="sm"
            label="Back to the canvas"
            icon={<ArrowLeft aria-hidden />}
            onClick={actions.closeText}
            tooltipSide="bottom"
            className="-ml-2"
          />
        }
        actions={
          onSplit === undefined ? undefined : (
            <>
              <IconButton
                size="sm"
                label="Beside the canvas"
                icon={<Columns2 aria-hidden />}
                pressed={split}
                onClick={() => onSplit(true)}
                tooltipSide="bottom"
              />
              <IconButton
                size="sm"
                label="Over the canvas"
                icon={<Square aria-hidden />}
                pressed={!split}
                onClick={() => onSplit(false)}
                tooltipSide="bottom"
              />
              <IconButton
                size="sm"
                label="In the inspector"
                icon={<PanelRight aria-hidden />}
                onClick={() => actions.showText('side')}
                tooltipSide="bottom"
              />
            </>
          )
        }
      />
    </section>
  );
}
