//! Comparing one vector with many, in whole numbers: every machine comes to the same sums.

/// Puts into `sums` the products of a vector with each of many, which lie one after the other in eight bits a
/// number. What is left over at the end is no vector.
#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
pub fn dots(rows: &[u8], vector: &[i16], sums: &mut Vec<i32>) {
    sums.clear();
    if vector.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if crate::vector::has_wide_instructions() {
        // SAFETY: the machine has just said that it has these instructions.
        return unsafe { dots_on_avx2(rows, vector, sums) };
    }
    dots_wide(rows, vector, sums);
}

/// The same code, compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dots_on_avx2(rows: &[u8], vector: &[i16], sums: &mut Vec<i32>) {
    dots_wide(rows, vector, sums);
}

/// Loops, because what iterators are handed may become a function of its own, which is not compiled for wider
/// registers then.
#[inline(always)]
fn dots_wide(rows: &[u8], vector: &[i16], sums: &mut Vec<i32>) {
    sums.resize(rows.len() / vector.len(), 0);
    for (row, sum) in rows.chunks_exact(vector.len()).zip(sums) {
        *sum = dot(row, vector);
    }
}

/// The simplest form is the one that compilers make multiply-and-add instructions of.
#[inline(always)]
fn dot(row: &[u8], vector: &[i16]) -> i32 {
    let mut sum = 0_i32;
    for (x, y) in row.iter().zip(vector) {
        sum = sum.wrapping_add(i32::from(x.cast_signed()) * i32::from(*y));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_multiplied_whatever_its_length() {
        for width in [1, 7, 26, 64, 100] {
            let rows: Vec<i8> = (0..width * 5).map(|n| (n * 37 % 255 - 127) as i8).collect();
            let vector: Vec<i16> = (0..width).map(|n| (n * 311 % 4095 - 2047) as i16).collect();
            let bytes: Vec<u8> = rows.iter().map(|row| row.cast_unsigned()).collect();
            let mut sums = vec![7];
            dots(&bytes, &vector, &mut sums);
            for (row, sum) in rows.chunks(width as usize).zip(&sums) {
                let products = row.iter().zip(&vector).map(|(x, y)| i64::from(*x) * i64::from(*y));
                assert_eq!(products.sum::<i64>(), i64::from(*sum));
            }
            assert_eq!(sums.len(), 5);
        }
        let mut sums = vec![7];
        dots(&[1, 2], &[], &mut sums);
        assert!(sums.is_empty());
    }
}
