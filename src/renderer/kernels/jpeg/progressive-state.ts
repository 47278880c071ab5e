/** Parameters of the progressive scan: spectral selection Ss to Se and the low bit position Al (T.81, B.2.3). */
export let ss: i32 = 0;
export let se: i32 = 0;
export let al: i32 = 0;

/** EOBRUN: how many blocks to come have no more coefficients in the band (T.81, G.1.2.2). */
export let eobrun: i32 = 0;

export function setSpectralSelection(newSs: i32, newSe: i32, newAl: i32): void {
  ss = newSs;
  se = newSe;
  al = newAl;
  eobrun = 0;
}

export function setEobrun(blocks: i32): void {
  eobrun = blocks;
}
