import { ControlButton, Controls } from '@xyflow/react';
import { Grid3x3, Magnet, Maximize, Workflow } from 'lucide-react';
import { snapKinds, useSnapKind } from './use-snap';

/** The buttons at the corner of the canvas. */
export function CanvasControls(props: {
  readonly mayEdit: boolean;
  readonly onFit: () => void;
  readonly onTidy: () => void;
}) {
  return (
    <Controls showInteractive={false} showFitView={false} position="bottom-left">
      <ControlButton aria-label="Fit View" title="Fit View (1)" onClick={props.onFit}>
        <Maximize aria-hidden className="!fill-none" />
      </ControlButton>
      {props.mayEdit && (
        <>
          <ControlButton aria-label="Tidy" title="Tidy: place all nodes anew (Shift+L)" onClick={props.onTidy}>
            <Workflow aria-hidden className="!fill-none" />
          </ControlButton>
          <SnapButton />
        </>
      )}
    </Controls>
  );
}

/** Chooses what a dragged node snaps to: nothing, lines of other nodes, or the grid. */
function SnapButton() {
  const [kind, setKind] = useSnapKind();
  const next = snapKinds[(snapKinds.indexOf(kind) + 1) % snapKinds.length] ?? 'off';
  const label = `Snap: ${kind === 'off' ? 'off' : `to ${kind}`}`;
  return (
    <ControlButton
      aria-label={label}
      title={`${label}. Click for ${next}`}
      className={kind === 'off' ? '' : '!text-accent'}
      onClick={() => setKind(next)}
    >
      {kind === 'grid' ? <Grid3x3 aria-hidden className="!fill-none" /> : <Magnet aria-hidden className="!fill-none" />}
    </ControlButton>
  );
}
