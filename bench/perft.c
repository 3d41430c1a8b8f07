/* Counts the lines of play from the start position, as kingme.engine.kernels.perft does.
 *
 *     gcc -O3 bench/perft.c -o perft && ./perft DEPTH
 *
 * The twin of the kernel, function by function: padded words, moves packed in a list for each
 * depth, routes counted one by one, the last ply counted instead of played. Prints the count and
 * the processor seconds it took.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t word;

#define WIDTH 256
static const word ALL = ~(word)0, BOARD = 0x7FBFDFEFFULL, TOP = 0xF, BOTTOM = (word)0xF << 31;
static const word TAKEN = ((word)1 << 36) - 1, SQUARE = 63;

static inline word jumpers(word down, word up, word opp, word empty) {
    return (down & ((opp & (empty >> 4)) >> 4)) | (down & ((opp & (empty >> 5)) >> 5)) |
           (up & ((opp & (empty << 4)) << 4)) | (up & ((opp & (empty << 5)) << 5));
}

static inline int64_t steps(word down, word up, word empty) {
    return __builtin_popcountll((down << 4) & empty) + __builtin_popcountll((down << 5) & empty) +
           __builtin_popcountll((up >> 4) & empty) + __builtin_popcountll((up >> 5) & empty);
}

static int64_t count_routes(word bit, word opp, word empty, word dmask, word umask) {
    int64_t found = 0;
    word down = bit & dmask, up = bit & umask, over;
    over = (down << 4) & opp;
    if ((over << 4) & empty) found += count_routes(over << 4, opp ^ over, empty, dmask, umask);
    over = (down << 5) & opp;
    if ((over << 5) & empty) found += count_routes(over << 5, opp ^ over, empty, dmask, umask);
    over = (up >> 4) & opp;
    if ((over >> 4) & empty) found += count_routes(over >> 4, opp ^ over, empty, dmask, umask);
    over = (up >> 5) & opp;
    if ((over >> 5) & empty) found += count_routes(over >> 5, opp ^ over, empty, dmask, umask);
    return found ? found : 1;
}

static int64_t count(word own, word opp, word kings, int black) {
    word empty = BOARD & ~(own | opp), crowned = own & kings;
    word down = black ? own : crowned, up = black ? crowned : own;
    word pieces = jumpers(down, up, opp, empty);
    if (!pieces) return steps(down, up, empty);
    int64_t found = 0;
    while (pieces) {
        word bit = pieces & (~pieces + 1);
        pieces ^= bit;
        if (bit & kings) found += count_routes(bit, opp, empty | bit, ALL, ALL);
        else if (black) found += count_routes(bit, opp, empty, ALL, 0);
        else found += count_routes(bit, opp, empty, 0, ALL);
    }
    return found;
}

static inline word pack(word start, word end) {
    return ((word)__builtin_ctzll(start) << 36) | ((word)__builtin_ctzll(end) << 42);
}

static int64_t extend(word bit, word start, word taken, word opp, word empty, word dmask,
                      word umask, word *moves, int64_t base, int64_t n) {
    int open_to = 0;
    word down = bit & dmask, up = bit & umask, rest = opp & ~taken, over;
    over = (down << 4) & rest;
    if ((over << 4) & empty) {
        open_to = 1;
        n = extend(over << 4, start, taken | over, opp, empty, dmask, umask, moves, base, n);
    }
    over = (down << 5) & rest;
    if ((over << 5) & empty) {
        open_to = 1;
        n = extend(over << 5, start, taken | over, opp, empty, dmask, umask, moves, base, n);
    }
    over = (up >> 4) & rest;
    if ((over >> 4) & empty) {
        open_to = 1;
        n = extend(over >> 4, start, taken | over, opp, empty, dmask, umask, moves, base, n);
    }
    over = (up >> 5) & rest;
    if ((over >> 5) & empty) {
        open_to = 1;
        n = extend(over >> 5, start, taken | over, opp, empty, dmask, umask, moves, base, n);
    }
    if (open_to) return n;
    moves[base + n] = pack(start, bit) | taken;
    return n + 1;
}

static int64_t jumps(word pieces, word opp, word empty, word kings, int black, word *moves,
                     int64_t base) {
    int64_t n = 0;
    while (pieces) {
        word bit = pieces & (~pieces + 1), dmask = ALL, umask = ALL, room = empty;
        pieces ^= bit;
        if (bit & kings) room = empty | bit;
        else if (black) umask = 0;
        else dmask = 0;
        n = extend(bit, bit, 0, opp, room, dmask, umask, moves, base, n);
    }
    return n;
}

static int64_t quiets(word down, word up, word empty, word *moves, int64_t base) {
    int64_t n = base;
    word left, end;
    for (left = (down << 4) & empty; left; left ^= end) {
        end = left & (~left + 1);
        moves[n++] = pack(end >> 4, end);
    }
    for (left = (down << 5) & empty; left; left ^= end) {
        end = left & (~left + 1);
        moves[n++] = pack(end >> 5, end);
    }
    for (left = (up >> 4) & empty; left; left ^= end) {
        end = left & (~left + 1);
        moves[n++] = pack(end << 4, end);
    }
    for (left = (up >> 5) & empty; left; left ^= end) {
        end = left & (~left + 1);
        moves[n++] = pack(end << 5, end);
    }
    return n - base;
}

static int64_t generate(word own, word opp, word kings, int black, word *moves, int64_t base) {
    word empty = BOARD & ~(own | opp), crowned = own & kings;
    word down = black ? own : crowned, up = black ? crowned : own;
    word pieces = jumpers(down, up, opp, empty);
    if (pieces) return jumps(pieces, opp, empty, kings, black, moves, base);
    return quiets(down, up, empty, moves, base);
}

static inline word kings_after(word kings, word start, word end, word taken, int black) {
    word left = kings & ~taken;
    if (kings & start) return left ^ start ^ end;
    return left | (end & (black ? BOTTOM : TOP));
}

static int64_t lines(word own, word opp, word kings, int black, int64_t depth, word *moves) {
    int64_t base = depth * WIDTH, found = 0;
    int64_t n = generate(own, opp, kings, black, moves, base);
    for (int64_t i = base; i < base + n; i++) {
        word move = moves[i];
        word start = (word)1 << ((move >> 36) & SQUARE), end = (word)1 << ((move >> 42) & SQUARE);
        word taken = move & TAKEN, left = opp & ~taken, moved = own ^ start ^ end;
        word crowned = kings_after(kings, start, end, taken, black);
        if (depth == 2) found += count(left, moved, crowned, 1 - black);
        else found += lines(left, moved, crowned, 1 - black, depth - 1, moves);
    }
    return found;
}

int main(int argc, char **argv) {
    int64_t depth = argc > 1 ? atol(argv[1]) : 11;
    if (depth < 2 || depth > 40) return 2;
    word *moves = calloc((size_t)(depth + 1) * WIDTH, sizeof(word));
    if (!moves) return 1;
    word black = 0, white = 0;
    for (int square = 0; square < 32; square++) {
        word bit = (word)1 << (9 * (square / 8) + square % 8);
        if (square < 12) black |= bit;
        if (square >= 20) white |= bit;
    }
    clock_t began = clock();
    int64_t found = lines(black, white, 0, 1, depth, moves);
    printf("%lld %.6f\n", (long long)found, (double)(clock() - began) / CLOCKS_PER_SEC);
    free(moves);
    return 0;
}
