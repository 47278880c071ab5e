import { useEffect, useState } from "react";

/** A blob URL of a picture, revoked with the component; null without a picture. */
export function useBlobUrl(blob: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (blob === null) {
      setAddress(null);
      return;
    }
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
