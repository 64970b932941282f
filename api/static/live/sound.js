// A short tone when it's the player's turn, for those who want one. It's made here, so no file is loaded for it.

const HERTZ = [523, 659];
const LENGTH_S = 0.12;
const VOLUME = 0.08;

// Play two tones. A browser that doesn't let pages sound before a click stays silent.
export function chime() {
  const audio = new AudioContext();
  HERTZ.forEach((hertz, place) => tone(audio, hertz, place * LENGTH_S));
  setTimeout(() => audio.close(), 1000);
}

function tone(audio, hertz, start) {
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = hertz;
  volume.gain.setValueAtTime(VOLUME, audio.currentTime + start);
  volume.gain.linearRampToValueAtTime(0, audio.currentTime + start + LENGTH_S);
  source.connect(volume).connect(audio.destination);
  source.start(audio.currentTime + start);
  source.stop(audio.currentTime + start + LENGTH_S);
}
