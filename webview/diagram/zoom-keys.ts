/** Keys that move the view. */
import { isCommand, type KeyBinding } from './keyboard';
import type { Zooming } from './zooming';

type Act = (event: KeyboardEvent) => (() => void) | undefined;

export function zoomKeys(zooming: Zooming): readonly KeyBinding[] {
  const plain = (shown: string, word: KeyBinding['word'], act: Act): KeyBinding => ({ shown, word, action: (event) => (isCommand(event) ? undefined : act(event)) });
  return [
    plain('A D · Shift ← →', 'keys.pan', ({ key, code, shiftKey }) => {
      if (code === 'KeyA' || (shiftKey && key === 'ArrowLeft')) return () => zooming.panBy(-1);
      return code === 'KeyD' || (shiftKey && key === 'ArrowRight') ? () => zooming.panBy(1) : undefined;
    }),
    plain('W S · + −', 'keys.zoom', ({ key, code }) => {
      if (key === '+' || key === '=' || code === 'KeyW') return () => zooming.zoomBy(1);
      return key === '-' || code === 'KeyS' ? () => zooming.zoomBy(-1) : undefined;
    }),
    plain('0', 'keys.fitAll', ({ key }) => (key === '0' ? () => zooming.fit() : undefined)),
    {
      shown: 'Ctrl Z · Ctrl Shift Z', word: 'keys.undo',
      action(event) {
        if (!isCommand(event)) return undefined;
        if (event.code === 'KeyZ') return () => (event.shiftKey ? zooming.redo() : zooming.undo());
        return event.code === 'KeyY' ? () => zooming.redo() : undefined;
      },
    },
  ];
}
